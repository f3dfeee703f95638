package gen

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNothingHasDrifted(t *testing.T) {
	root, err := Root(".")
	require.NoError(t, err)
	files, err := Files(root)
	require.NoError(t, err)
	drifted, err := Drift(root, files)
	require.NoError(t, err)
	for _, d := range drifted {
		t.Errorf("%s\nrun: make gen", d)
	}
}
