package abi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/wasm/abi"
)

func TestReplaces(t *testing.T) {
	for arg, want := range map[string]int32{
		`{"oldEpoch":0,"oldCursor":"s1:9","epoch":0,"cursor":"s1:10"}`:    1,
		`{"oldEpoch":0,"oldCursor":"s1:9","epoch":0,"cursor":"s1:6"}`:     0,
		`{"oldEpoch":0,"oldCursor":"s1:9","epoch":1,"cursor":"s1:6"}`:     1,
		`{"oldEpoch":0,"oldCursor":"","epoch":0,"cursor":"s1:0"}`:         -1,
		`{"oldEpoch":-1,"oldCursor":"s1:9","epoch":0,"cursor":"s1:6"}`:    -1,
		`{"oldEpoch":0.5,"oldCursor":"s1:9","epoch":0,"cursor":"s1:6"}`:   -1,
		`{"oldEpoch":"0","oldCursor":"s1:9","epoch":0,"cursor":"s1:6"}`:   -1,
		`{"oldEpoch":0,"oldCursor":"s1:09","epoch":0,"cursor":"s1:6"}`:    -1,
		`{"oldEpoch":0,"oldCursor":"s1:9","epoch":0,"cursor":"nonsense"}`: -1,
		`{"oldEpoch":0,"oldCursor":9,"epoch":0,"cursor":"s1:6"}`:          -1,
		`{"epoch":0,"cursor":"s1:6","other":1}`:                           -1,
		`[]`:                                                              -1, `{`: -1, ``: -1,
	} {
		var links abi.Links
		require.Equal(t, want, links.Replaces(copy(links.Input(len(arg)), arg)), arg)
	}
}

func TestReplacesOutsideTheInputRoom(t *testing.T) {
	var links abi.Links
	require.Equal(t, int32(-1), links.Replaces(-1))
	require.Equal(t, int32(-1), links.Replaces(1<<20))
}
