package client_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/internal/flaky"
	"github.com/tidemark-stream/tidemark/pkg/client"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// everything follows all sessions of the recording.
const everything = "http://flaky.test/v1/sessions/a/events"

// told is what a consumer was handed, kept as a consumer would keep it.
type told struct {
	log     map[string][]string // of a session: the texts of its records
	view    map[string][]string // records and drafts, without those that were voided
	solid   map[string]int      // how much of the view no restart voids
	refused map[string]string   // the rule
	ended   map[string]string   // the cause
	states  []client.State
	live    []client.Live
	items   []client.Item
	err     error
}

func newTold() *told {
	return &told{
		log: map[string][]string{}, view: map[string][]string{}, solid: map[string]int{},
		refused: map[string]string{}, ended: map[string]string{},
	}
}

// take keeps one item.
func (c *told) take(item client.Item) {
	c.items = append(c.items, item)
	session := item.SessionID()
	switch item := item.(type) {
	case client.Event:
		c.log[session] = append(c.log[session], string(item.JSON))
		c.view[session] = append(c.view[session], string(item.JSON))
		c.solid[session] = len(c.view[session])
	case client.Draft:
		c.view[session] = append(c.view[session], string(item.JSON))
	case client.Restart:
		c.view[session] = c.view[session][:c.solid[session]]
	case client.Live:
		c.live = append(c.live, item)
	case client.State:
		c.states = append(c.states, item)
	case client.Refused:
		c.refused[session] = item.Refusal.ID().String()
	case client.End:
		c.ended[session] = item.Cause.String()
	}
}

// over answers a client without a socket, and options for all sessions.
func over(server http.Handler) client.Options {
	return client.Options{
		Sessions: flaky.Sessions(),
		Client:   &http.Client{Transport: flaky.Transport(server)},
	}
}

// follow takes all that comes of a stream.
func follow(t *testing.T, ctx context.Context, address string, o client.Options) *told {
	stream, err := client.Open(ctx, address, o)
	require.NoError(t, err)
	c := newTold()
	for item, err := range stream.Items() {
		if c.err = err; err == nil {
			c.take(item)
		}
	}
	require.NoError(t, stream.Close())
	_, err = stream.Next(ctx)
	if c.err == nil {
		require.Equal(t, io.EOF, err)
	} else {
		require.Equal(t, c.err, err)
	}
	return c
}

// texts are those of the recording: of its records, or of all of it.
func texts(of []flaky.Event) (all []string) {
	for _, e := range of {
		all = append(all, string(e.Text))
	}
	return all
}

// whole requires that exactly the log was handed over, of every session.
func (c *told) whole(t *testing.T, why any) {
	require.NoError(t, c.err, why)
	require.Empty(t, c.refused, why)
	for _, session := range flaky.Sessions() {
		require.Equal(t, texts(flaky.Records(session)), c.log[session], "%v: %s", why, session)
		require.Equal(t, "server", c.ended[session], why)
	}
}

// prefix requires that what was handed over of a session is the log up to a seq.
func (c *told) prefix(t *testing.T, session string, seq int) {
	require.Equal(t, texts(flaky.Records(session))[:seq], append([]string{}, c.log[session]...))
}

// faultOf is the id of the fault that ended a stream, 0 when none did.
func faultOf(err error) fault.ID {
	var f *fault.Fault
	if errors.As(err, &f) {
		return f.ID
	}
	return 0
}

func one(session string) string {
	return "http://flaky.test/v1/sessions/" + url.PathEscape(session) + "/events"
}

// seqs are the seqs that a consumer was handed of a session.
func (c *told) seqs(session string) (all []int64) {
	for _, item := range c.items {
		if e, ok := item.(client.Event); ok && e.Session == session {
			all = append(all, e.Seq)
		}
	}
	return all
}

func upTo(last events.Seq) (all []int64) {
	for n := range int64(last) {
		all = append(all, n+1)
	}
	return slices.Clip(all)
}
