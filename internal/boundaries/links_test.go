package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLinks(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"README.md":    "# One, two!\n\n```md\n# In a block\n```\n",
		"docs/page.md": "<a id=\"mark-1\"></a>\n## 4. A `code` heading\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	for link, problem := range map[string]string{
		"https://example.com/#x": "", "mailto:a@b": "", "docs": "", "docs/page.md": "", "#one-two": "",
		"docs/page.md#mark-1": "", "docs/page.md#4-a-code-heading": "",
		"docs/none.md": "there is no such file", "#three": "the page has no such heading",
		"#in-a-block": "the page has no such heading", "docs/page.md#mark-2": "the page has no such heading",
	} {
		assert.Equal(t, problem, dead(root, "README.md", link), link)
	}
	assert.Empty(t, dead(root, "docs/page.md", "../README.md#one-two"))
}
