package wholefile

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const day = 24 * time.Hour

// aged puts a file into a folder that was written to so long ago.
func aged(t *testing.T, dir, name string, age time.Duration) string {
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte("half"), 0o600))
	then := time.Now().Add(-age)
	require.NoError(t, os.Chtimes(path, then, then))
	return path
}

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	gone := []string{aged(t, dir, ".tidemark-1.tmp", day+time.Minute), aged(t, dir, ".tidemark-.tmp", 1000*day)}
	stays := []string{
		aged(t, dir, ".tidemark-2.tmp", day-time.Hour), // may still be written to
		aged(t, dir, ".tidemark-3.tmp", -1000*day),     // of another clock
		aged(t, dir, ".tidemark-4.json", 2*day),
		aged(t, dir, "tidemark-5.tmp", 2*day),
		aged(t, dir, "a.json", 2*day),
	}
	folder := filepath.Join(dir, ".tidemark-6.tmp")
	require.NoError(t, os.Mkdir(folder, 0o755))
	require.NoError(t, os.Chtimes(folder, time.Unix(0, 0), time.Unix(0, 0)))

	Sweep(dir)
	Sweep(filepath.Join(dir, "gone"))
	for _, path := range gone {
		assert.NoFileExists(t, path)
	}
	for _, path := range stays {
		assert.FileExists(t, path)
	}
	assert.DirExists(t, folder)
}

// A write whose file is swept away by a clock that jumped is done once more, and one
// that loses it again says so.
func TestReplaceAfterASweep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	write := func(losses int) func(*os.File) error {
		return func(f *os.File) error {
			_, err := f.WriteString("whole")
			if losses--; losses >= 0 {
				require.NoError(t, os.Chtimes(f.Name(), time.Unix(0, 0), time.Unix(0, 0)))
				Sweep(filepath.Dir(path))
			}
			return err
		}
	}
	assert.ErrorIs(t, Replace(path, write(2)), os.ErrNotExist)
	assert.NoFileExists(t, path)
	require.NoError(t, Replace(path, write(1)))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "whole", string(text))
}
