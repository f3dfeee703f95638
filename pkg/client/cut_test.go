package client_test

import (
	"fmt"
	"net/http/httptest"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/internal/flaky"
	"github.com/tidemark-stream/tidemark/pkg/client"
)

// At whatever byte the connection is cut, exactly the log is applied, drafts that
// were cut short come once, and nothing is refused. Time is virtual: each cut has a
// bubble of its own, which also sees every goroutine end.
func TestEveryCut(t *testing.T) {
	for _, c := range []struct {
		name, kind, eol string
		step            int
	}{
		{"LF", "cut", "\n", 1},
		{"CRLF", "cut", "\r\n", 1},
		{"CR", "cut", "\r", 5},
		{"LF, as if it were over", "end", "\n", 3},
		{"CRLF, as if it were over", "end", "\r\n", 5},
		{"LF, silent from there on", "stall", "\n", 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for at := 0; at <= len(flaky.Stream(c.eol)); at += c.step {
				cutAt(t, flaky.Script{EOL: c.eol, Faults: []flaky.Fault{{Kind: c.kind, At: at}}})
			}
		})
	}
}

// Two cuts, anywhere: the second one in what was left by the first.
func TestEveryPairOfCuts(t *testing.T) {
	t.Parallel()
	for first := 0; first < len(flaky.Stream("")); first += 211 {
		for second := 0; second < len(flaky.Stream("")); second += 173 {
			cutAt(t, flaky.Script{Faults: []flaky.Fault{{Kind: "cut", At: first}, {Kind: "cut", At: second}}})
		}
	}
}

func cutAt(t *testing.T, script flaky.Script) {
	synctest.Test(t, func(t *testing.T) {
		c := follow(t, t.Context(), everything, over(flaky.New(script)))
		c.whole(t, script.Faults)
		for _, session := range flaky.Sessions() {
			require.Equal(t, texts(flaky.Log(session)), c.view[session], "%v: %s", script.Faults, session)
		}
	})
}

// The same over sockets, at some of the cuts.
func TestCutsOverASocket(t *testing.T) {
	for at := 0; at < len(flaky.Stream("\r\n")); at += 997 {
		server := httptest.NewServer(flaky.New(flaky.Script{EOL: "\r\n", Faults: []flaky.Fault{{Kind: "cut", At: at}}}))
		o := client.Eager(over(nil))
		o.Client = server.Client()
		c := follow(t, t.Context(), server.URL+"/v1/sessions/a/events", o)
		server.Close()
		c.whole(t, fmt.Sprint("cut at ", at))
	}
}
