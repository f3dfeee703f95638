package wholefile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	write := func(text string, fails error) func(*os.File) error {
		return func(f *os.File) error {
			_, err := f.WriteString(text)
			return errors.Join(err, fails)
		}
	}
	require.NoError(t, Replace(path, write("one", nil)))
	failed := errors.New("disk full")
	assert.ErrorIs(t, Replace(path, write("half", failed)), failed)
	assert.Error(t, Replace(filepath.Join(dir, "gone", "a.json"), write("x", nil)))

	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "one", string(text), "what failed changed nothing")
	require.NoError(t, Replace(path, write("two", nil)))
	text, _ = os.ReadFile(path)
	assert.Equal(t, "two", string(text))

	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 1, "nothing is left beside it")
	assert.NoError(t, SyncDir(filepath.Join(dir, "gone")))
}
