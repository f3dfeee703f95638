package tidemark

import (
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The first words about the module are the same wherever somebody meets it.
func TestOneSentenceForTheModule(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(readme), "**Tidemark ")
	require.True(t, found)
	says, _, _ := strings.Cut(rest, "**")
	file, err := parser.ParseFile(token.NewFileSet(), "version.go", nil, parser.ParseComments|parser.PackageClauseOnly)
	require.NoError(t, err)
	first, _, _ := strings.Cut(file.Doc.Text(), "\n\n")
	require.Equal(t, "Package tidemark "+says, strings.ReplaceAll(first, "\n", " "))
}
