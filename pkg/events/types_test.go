package events

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEveryTypeIsFoundUnderItsOwnIndex(t *testing.T) {
	for i := range TypeCount {
		row := TypeAt(i)
		assert.Equal(t, i, TypeIndex([]byte(row.Name)), row.Name)
		assert.NotEqual(t, ClassUnknown, row.Class, row.Name)
		assert.NotEqual(t, TurnUnknown, row.Turn, row.Name)
	}
}

// Each name is bent in every byte and at both ends: none may be found.
func TestNearNamesAreUnknown(t *testing.T) {
	for i := range TypeCount {
		name := TypeAt(i).Name
		for at := range name {
			bent := []byte(name)
			bent[at] ^= 0x20
			assert.Equal(t, -1, TypeIndex(bent), "%q", bent)
		}
		for _, near := range []string{name + " ", " " + name, name[1:], name[:len(name)-1], name + "s", name + "\x00"} {
			assert.Equal(t, -1, TypeIndex([]byte(near)), "%q", near)
		}
	}
	for _, name := range []string{"", "x", "message", string(make([]byte, 4096))} {
		assert.Equal(t, -1, TypeIndex([]byte(name)), "%q", name)
	}
	assert.Equal(t, -1, TypeIndex(nil))
}

func TestNumbersThatAreNoIndexAnswerTheZeroType(t *testing.T) {
	for _, i := range []int{-1, TypeCount, TypeCount + 1, -1 << 40, 1 << 40} {
		assert.Equal(t, Type{}, TypeAt(i), "%d", i)
	}
}

//
func TestOnlyFourTypesAreEphemeral(t *testing.T) {
	var found []string
	for i := range TypeCount {
		if name := TypeAt(i).Name; IsEphemeral([]byte(name)) {
			found = append(found, name)
		}
	}
	assert.ElementsMatch(t, []string{"tool_progress", "reasoning_delta", "text_delta", "tool_input_delta"}, found)
	assert.False(t, IsEphemeral([]byte("TEXT_DELTA")))
}

func TestLookupAllocatesNothing(t *testing.T) {
	known, other := []byte("compaction_tool_results_cleared"), []byte("something_else")
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		if TypeIndex(known) < 0 || TypeIndex(other) >= 0 || IsEphemeral(known) {
			t.Fatal("wrong answer")
		}
	}))
}

func TestNamesOfClassesAndRules(t *testing.T) {
	assert.Equal(t, "log", ClassLog.String())
	assert.Equal(t, "ephemeral", ClassEphemeral.String())
	assert.Equal(t, "listener-only", ClassListener.String())
	assert.Equal(t, "unknown", Class(99).String())
	assert.Equal(t, "required", TurnRequired.String())
	assert.Equal(t, "optional", TurnOptional.String())
	assert.Equal(t, "unknown", TurnRule(99).String())
}

func BenchmarkTypeIndex(b *testing.B) {
	names := make([][]byte, TypeCount)
	for i := range names {
		names[i] = []byte(TypeAt(i).Name)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if TypeIndex(names[i%TypeCount]) < 0 {
			b.Fatal("a known type was not found")
		}
		i++
	}
}
