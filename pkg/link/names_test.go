package link_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// somebody has to name the session.
func TestNames(t *testing.T) {
	for text, names := range map[string]bool{
		`{}`:                         true,
		`{"members":{"session":""}}`: false,
		`{"members":{"session":""},"control":true}`:       true,
		`{"members":{"session":""},"position":"id"}`:      true,
		`{"members":{"session":""},"position":"counted"}`: false,
	} {
		p, err := profile.Parse([]byte(text))
		require.NoError(t, err)
		require.Equal(t, names, p.Names(), text)
		_, err = link.New(link.Options{Profile: p})
		if names {
			require.NoError(t, err, text)
		} else {
			require.ErrorIs(t, err, fault.InvalidOptions, text)
		}
		_, err = link.New(link.Options{Profile: p, Sessions: []string{"mine"}})
		require.NoError(t, err, text)
		_, err = link.New(link.Options{Profile: p, Cursors: []cursor.Cursor{{Session: "mine", Seq: 4}}})
		require.NoError(t, err, text)
	}
}
