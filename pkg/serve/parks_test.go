package serve_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/park"
	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

// an inbox goes on from the transcript's parks as they are, at its
// cursor, also when nothing was recorded since the log was taken over.
func TestAnInboxGoesOnFromATranscript(t *testing.T) {
	store := memory.New(memory.Options{})
	log, err := store.Create(t.Context(), "s:1")
	require.NoError(t, err)
	handler := serve.New(store, serve.Options{})
	goesOn := func(rows int) {
		t.Helper()
		var transcript struct {
			State struct {
				Parks struct {
					Session, Generation, Fold string
					Seq                       events.Seq
				}
			}
			Cursor string
		}
		require.NoError(t, json.Unmarshal(get(handler, "/v1/sessions/s:1/transcript").Body.Bytes(), &transcript))
		at, err := cursor.Parse(transcript.Cursor, 1)
		require.NoError(t, err)
		saved := transcript.State.Parks
		require.Equal(t, cursor.Cursor{Session: saved.Session, Seq: saved.Seq, Generation: events.Generation(saved.Generation)}, at)
		var box park.Inbox
		require.Nil(t, box.Resume(saved.Session, []byte(saved.Fold), at.Seq, at.Generation))
		require.Len(t, box.Rows(0), rows)
	}
	goesOn(0)
	for _, generation := range []string{"1", "2"} {
		lease, err := log.Acquire(t.Context())
		require.NoError(t, err)
		require.Equal(t, generation, string(lease))
		goesOn(int(generation[0] - '1'))
		_, err = log.Append(t.Context(), lease, []byte(`{"type":"decision_requested","turnId":"t1","decisionId":"d`+generation+`","checkpointId":"c","request":{"type":"plan"}}`))
		require.NoError(t, err)
		goesOn(int(generation[0] - '0'))
	}
}
