package disk_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// a run whose folder is a link takes documents, and is listed.
func TestARunBehindALink(t *testing.T) {
	base, elsewhere := t.TempDir(), t.TempDir()
	require.NoError(t, os.Symlink(elsewhere, filepath.Join(base, "t1")))
	require.NoError(t, os.Symlink(filepath.Join(base, "none"), filepath.Join(base, "t2")))
	s := opened(t, base)
	put(t, s, run("t1", ""), "c1")
	require.FileExists(t, filepath.Join(elsewhere, "c1.json"))
	require.Equal(t, []string{">t1"}, ids(t, s))
}
