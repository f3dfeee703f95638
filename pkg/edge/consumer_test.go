package edge_test

import (
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/internal/flaky"
	"github.com/tidemark-stream/tidemark/pkg/client"
	"github.com/tidemark-stream/tidemark/pkg/edge"
)

// told is what a consumer was told of a session: its records, and how it ended.
type told struct {
	records []string
	end     string // the rule of a refusal, or the cause
}

// lies are what a server of flaky can do that leaves its answers streams.
var lies = []string{"", "ignore", "skip", "takeover", "lose", "prune", "drop", "double", "swap", "short", "garble", "fence", "rewrite", "mislabel"}

// judgedAtOnce are refused by a consumer at once, and by one behind an edge after another
// look, because its head says otherwise.
var judgedAtOnce = map[string]bool{"takeover": true, "fence": true}

// Behind an edge a consumer has of each session what it has without, whatever the server
// says on every connection, and what happens once is looked at again and
// heals all the same.
func TestAConsumerBehindIt(t *testing.T) {
	for _, kind := range lies {
		t.Run(kind+" always", func(t *testing.T) { compareBehind(t, kind, true) })
		if !judgedAtOnce[kind] {
			t.Run(kind+" once", func(t *testing.T) { compareBehind(t, kind, false) })
		}
	}
}

func compareBehind(t *testing.T, kind string, always bool) {
	script := flaky.Script{Faults: []flaky.Fault{{Kind: kind, Record: "a:3"}}, Always: always}
	direct, why := follow(t, flaky.New(script))
	behind, whyBehind := follow(t, newEdge(t, edge.Options{Transport: flaky.Transport(flaky.New(script))}))
	assert.Equal(t, direct, behind)
	assert.Equal(t, why, whyBehind)
}

func follow(t *testing.T, server http.Handler) (all map[string]*told, why error) {
	all = map[string]*told{}
	for _, session := range flaky.Sessions() {
		all[session] = &told{}
	}
	synctest.Test(t, func(t *testing.T) {
		stream, err := client.Open(t.Context(), "http://flaky/v1/sessions/a/events", client.Options{
			Sessions: flaky.Sessions(), Client: &http.Client{Transport: flaky.Transport(server)},
		})
		require.NoError(t, err)
		defer stream.Close()
		for item, err := range stream.Items() {
			if why = err; err != nil {
				break
			}
			of := all[item.SessionID()]
			switch item := item.(type) {
			case client.Event:
				of.records = append(of.records, string(item.JSON))
			case client.Refused:
				of.end = item.Refusal.ID().String()
			case client.End:
				of.end += item.Cause.String()
			}
		}
	})
	return all, why
}
