package abi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/wasm/abi"
)

func TestARoomForAnotherModule(t *testing.T) {
	var room abi.Room
	copy(room.Input(5), "hello")
	arg, err := room.Argument(5)
	require.NoError(t, err)
	assert.Equal(t, "hello", string(arg))
	for _, n := range []int{-1, 1 << 20} {
		_, err = room.Argument(n)
		assert.ErrorIs(t, err, fault.BadInput)
	}

	text := []byte("an answer")
	assert.Equal(t, 9, room.Answer(text))
	text[0] = 'X'
	assert.Equal(t, "an answer", string(room.Output()))
	assert.Zero(t, room.Answer(nil))
	assert.Empty(t, room.Output())
}

// The room of a long argument, a page of 16 MiB say, is given back with the next one.
func TestTheRoomOfALongArgumentIsGivenBack(t *testing.T) {
	var room abi.Room
	assert.GreaterOrEqual(t, len(room.Input(16<<20)), 16<<20)
	assert.Less(t, len(room.Input(10)), 2<<20)
	assert.GreaterOrEqual(t, len(room.Input(2<<20)), 2<<20)
}
