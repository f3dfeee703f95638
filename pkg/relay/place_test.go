package relay_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/relay"
	"github.com/tidemark-stream/tidemark/pkg/replay"
)

func somePlace() relay.Place {
	return relay.Place{
		Stood: link.Stood{
			Session: "s", Head: replay.Head{LastSeq: 9, Generation: "7", OldestSeq: 1}, Headed: true,
			Seen: []events.Generation{"6"},
		},
		Cursor: cursor.Cursor{Session: "s", Seq: 4, Generation: "7"}, Placed: true,
	}
}

// Whoever is told that a place has moved keeps everything else of it, so whatever a place
// holds beside the number of its cursor has to count.
func TestOnlyTheNumberMayMove(t *testing.T) {
	had := somePlace()
	numbers := 0
	eachMember(reflect.TypeFor[relay.Place](), nil, func(at []int, name string) {
		now := somePlace()
		change(reflect.ValueOf(&now).Elem().FieldByIndex(at))
		switch name {
		case ".Cursor.Session": // a place writes its session once
			return
		case ".Cursor.Seq":
			numbers++
			assert.True(t, now.Moved(&had), name)
			return
		}
		assert.False(t, now.Moved(&had), name)
		assert.False(t, had.Moved(&now), name)
	})
	assert.Equal(t, 1, numbers)
}

// eachMember visits what a type holds, structures by their members.
func eachMember(of reflect.Type, at []int, visit func(at []int, name string)) {
	var walk func(of reflect.Type, at []int, name string)
	walk = func(of reflect.Type, at []int, name string) {
		if of.Kind() != reflect.Struct {
			visit(at, name)
			return
		}
		for i := range of.NumField() {
			if f := of.Field(i); f.IsExported() {
				walk(f.Type, append(at[:len(at):len(at)], i), name+"."+f.Name)
			}
		}
	}
	walk(of, at, "")
}

func change(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + "1")
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Uint64:
		v.SetUint(v.Uint() + 1)
	case reflect.Array:
		v.Index(0).SetUint(v.Index(0).Uint() + 1)
	case reflect.Slice:
		v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
	default:
		panic(v.Kind())
	}
}
