package client_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/internal/flaky"
	"github.com/tidemark-stream/tidemark/pkg/client"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// Asking for a cursor between two items changes nothing about what comes, also when
// the link has the next item ready.
func TestAskingInBetween(t *testing.T) {
	for at := 0; at < len(flaky.Stream("")); at += 61 {
		synctest.Test(t, func(t *testing.T) {
			server := flaky.New(flaky.Script{Faults: []flaky.Fault{{Kind: "cut", At: at}}})
			stream := open(t, t.Context(), server, client.Options{Sessions: flaky.Sessions()})
			defer stream.Close()
			c := newTold()
			for item, err := range stream.Items() {
				require.NoError(t, err)
				c.take(item)
				for _, session := range flaky.Sessions() {
					before := len(c.log[session])
					if e, ok := item.(client.Event); ok && e.Session == session {
						before--
					}
					want := session + ":0"
					if before > 0 {
						want = flaky.Records(session)[before-1].ID
					}
					require.Equal(t, want, applied(stream, session))
				}
			}
			c.whole(t, at)
		})
	}
}

// atRestart follows session a up to a restart behind which an event is ready: in
// the link, or, when somebody has asked for a cursor, on its way.
func atRestart(t *testing.T, asked bool) *client.Stream {
	inDraft := strings.Index(string(flaky.Stream("")), "Boote 🚣")
	server := flaky.New(flaky.Script{Faults: []flaky.Fault{{Kind: "cut", At: inDraft}}})
	stream := open(t, t.Context(), server, client.Options{Sessions: flaky.Sessions()})
	for {
		if restart, ok := next(t, stream).(client.Restart); ok {
			require.Equal(t, client.Restart{Session: "a", AfterSeq: 2}, restart)
			if asked {
				require.Equal(t, "a:2@7", applied(stream, "a"))
			}
			return stream
		}
	}
}

// What was ready is not handed over once the stream was closed, or the session reset.
func TestWhatWasReady(t *testing.T) {
	for _, asked := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			stream := atRestart(t, asked)
			require.NoError(t, stream.Close())
			for range flaky.Sessions() {
				require.Equal(t, link.Closed, next(t, stream).(client.End).Cause)
			}
		})
		synctest.Test(t, func(t *testing.T) {
			stream := atRestart(t, asked)
			defer stream.Close()
			require.NoError(t, stream.Reset(client.Cursor{Token: "a:6@7"}))
			c := newTold()
			for item, err := range stream.Items() {
				require.NoError(t, err)
				c.take(item)
			}
			require.Equal(t, []int64{7, 8}, c.seqs("a"))
			require.NotContains(t, strings.Join(c.view["a"], ""), "Zwölf", "of before the reset")
			for _, session := range flaky.Sessions() {
				require.Equal(t, "server", c.ended[session])
			}
		})
	}
}
