package check_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/check"
)

func TestThePageHasEveryKind(t *testing.T) {
	page, err := os.ReadFile("../../docs/check.md")
	require.NoError(t, err)
	for _, k := range check.Kinds() {
		row := fmt.Sprintf("| `%s` | %s | `%s` | %s |\n", k, k.Severity(), k.Rule().String(), k.About())
		assert.True(t, strings.Contains(string(page), row), "docs/check.md lacks %s", row)
	}
}
