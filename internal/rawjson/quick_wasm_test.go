package rawjson

import (
	"strings"
	"testing"
	"unsafe"
)

// What is written in a rare way is left to the walker.
func TestQuickFieldsKnowsItsLimits(t *testing.T) {
	for _, text := range append(slowTexts, `{"0123456789abcdef":1}`) {
		if lookQuickly(t, []byte(text), 100, wanted) {
			t.Errorf("%s is read, although a wanted name is long", text)
		}
	}
	for _, text := range slowTexts {
		if lookQuickly(t, []byte(text), 100, short) {
			t.Errorf("%s is read", text)
		}
	}
}

// Whatever follows the object decides nothing.
func TestQuickFieldsStopsBehindTheObject(t *testing.T) {
	var q Quick
	for _, text := range quickTexts {
		for _, rest := range []string{"}", "x", " ", ",\"a\":1}", "\x00"} {
			if n := QuickFields([]byte(text+rest), 100, namesOf(short), &q); n != len(text) {
				t.Errorf("%q behind %s: %d", rest, text, n)
			}
		}
	}
}

func TestQuickFieldsCountsLevels(t *testing.T) {
	for depth := range 80 {
		text := []byte(`{"a":` + strings.Repeat(`[`, depth) + strings.Repeat(`]`, depth) + `}`)
		if depth == 0 {
			text = []byte(`{"a":0}`)
		}
		for _, limit := range []int{0, 1, 2, 3, 60, 61, 62, 63, 64, 65, 511} {
			if got, want := lookQuickly(t, text, limit, short), depth <= min(limit, 62); got != want {
				t.Errorf("%d levels of %d: %v", depth, limit, got)
			}
		}
	}
}

// The bytes behind a text decide nothing, not even when they would complete it.
func TestQuickFieldsNeverReadsOn(t *testing.T) {
	for _, text := range quickTexts {
		for i := range text {
			if lookQuickly(t, []byte(text)[:i], 100, short) {
				t.Fatalf("%q passes with %q behind it", text[:i], text[i:])
			}
		}
	}
}

// Where the text ends as the memory does, there is nothing that could be read on;
// the walk has to find that out before it reads.
func TestQuickFieldsStaysInMemory(t *testing.T) {
	var found Quick
	beyond := unsafe.Add(unsafe.Pointer(&found), 3<<30-uintptr(unsafe.Pointer(&found)))
	if QuickFields(unsafe.Slice((*byte)(beyond), 2), 1, namesOf(short), &found) != 0 {
		t.Error("there is no text")
	}
}
