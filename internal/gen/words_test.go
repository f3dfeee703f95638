package gen

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// Words end with the last value that has one, whatever is said of what is none.
func TestWordsFrom(t *testing.T) {
	assert.Equal(t, []string{"accept", "pass", "duplicate", "gap", "generation_changed", "invalid"}, wordsFrom(cursor.Accept))
	assert.Equal(t, []string{"resolved"}, wordsFrom(park.Resolved))
	assert.Equal(t, []string{"elsewhere", "refused"}, wordsFrom(park.Elsewhere))
}

// Every type has words, each once, and what a word means stands beside it.
func TestUnions(t *testing.T) {
	for _, u := range unions() {
		var b strings.Builder
		u.write(&b)
		words := append(u.words, names(u.meanings)...)
		for _, m := range u.meanings {
			assert.Contains(t, b.String(), " * - `"+m.Name+"`: "+m.Meaning+"\n")
		}
		assert.NotEmpty(t, words, u.name)
		assert.NotContains(t, words, "", u.name)
		assert.NotContains(t, words, link.Unstarted, u.name)
		for i, word := range words {
			assert.Equal(t, i, slices.Index(words, word), word)
			assert.Contains(t, b.String(), `"`+word+`"`)
		}
	}
}
