package gen

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDriftSaysWhatDiffers(t *testing.T) {
	root := t.TempDir()
	want := []File{{"a.txt", []byte("one\ntwo\nthree\n")}, {"sub/b.txt", []byte("b\n")}}
	drifted, err := Drift(root, want)
	require.NoError(t, err)
	require.Len(t, drifted, 2)
	assert.Equal(t, "a.txt: is not there", drifted[0].String())

	changed, err := Write(root, want)
	require.NoError(t, err)
	assert.Equal(t, []string{"a.txt", "sub/b.txt"}, changed)
	drifted, err = Drift(root, want)
	require.NoError(t, err)
	assert.Empty(t, drifted)

	require.NoError(t, os.WriteFile(filepath.Join(root, "a.txt"), []byte("one\nzwei\nthree\nfour\n"), 0o644))
	drifted, err = Drift(root, want)
	require.NoError(t, err)
	require.Len(t, drifted, 1)
	assert.Equal(t, "a.txt: differs from line 2 on (2 lines too many, 1 missing)\n    has   zwei\n    wants two", drifted[0].String())
}

func TestWriteLeavesWhatIsRight(t *testing.T) {
	root := t.TempDir()
	files := []File{{"a.txt", []byte("one\n")}}
	_, err := Write(root, files)
	require.NoError(t, err)
	before, err := os.Stat(filepath.Join(root, "a.txt"))
	require.NoError(t, err)
	changed, err := Write(root, files)
	require.NoError(t, err)
	assert.Empty(t, changed)
	after, err := os.Stat(filepath.Join(root, "a.txt"))
	require.NoError(t, err)
	assert.Equal(t, before.ModTime(), after.ModTime())
}

func TestAShorterFileIsDriftToo(t *testing.T) {
	d := compare("a", "one", "one\ntwo")
	assert.Equal(t, 2, d.Line)
	assert.Equal(t, 1, d.Added)
	assert.Contains(t, d.String(), "(an empty line, or the end)")
}

func TestRootIsFoundFromBelow(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	require.NoError(t, os.MkdirAll(deep, 0o755))
	_, err := Root(deep)
	assert.Error(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), nil, 0o644))
	found, err := Root(deep)
	require.NoError(t, err)
	assert.Equal(t, root, found)
}
