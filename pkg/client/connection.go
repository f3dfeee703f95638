package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/link"
)

// bufferSize is how much of a body is read at once, in bytes. Two such buffers
// take turns, so that one is filled while the other is judged, and no third.
const bufferSize = 32 << 10

// connection is one request and its body, read by a goroutine of its own. It
// speaks only while it is listened to.
type connection struct {
	said   chan said
	cancel context.CancelFunc
}

// said is one thing that a connection has to say. Bytes are good until it is
// listened to again.
type said struct {
	response *link.Response // it was answered
	bytes    []byte         // some of the body has come
	err      error          // it is over; io.EOF: cleanly
}

// connect makes a connection and reads it in the background, until it is over or
// given up.
func (s *Stream) connect() {
	r, fresh := s.request, s.fresh
	s.fresh = nil
	ctx, cancel := context.WithCancel(s.ctx)
	c := &connection{said: make(chan said), cancel: cancel}
	s.connection = c
	s.start(func() {
		defer cancel()
		if err := c.run(ctx, s.settings, r, fresh); err != nil {
			c.say(ctx, said{err: err})
		}
	})
}

// run answers why the connection is over; nil when all has been said.
func (c *connection) run(ctx context.Context, s *settings, r Request, fresh http.Header) error {
	request, err := s.ask(ctx, r, fresh)
	if err != nil {
		return err
	}
	answer, err := s.Client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	response := responseOf(answer, time.Now())
	if !c.say(ctx, said{response: &response}) || response.Status != http.StatusOK {
		return nil
	}
	return c.read(ctx, answer.Body)
}

func (c *connection) read(ctx context.Context, body io.Reader) error {
	buffers := [2][]byte{make([]byte, bufferSize), make([]byte, bufferSize)}
	for turn := 0; ; turn = 1 - turn {
		n, err := body.Read(buffers[turn])
		if n > 0 && !c.say(ctx, said{bytes: buffers[turn][:n]}) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// say waits until somebody listens. False: nobody will any more.
func (c *connection) say(ctx context.Context, what said) bool {
	select {
	case c.said <- what:
		return true
	case <-ctx.Done():
		return false
	}
}

// said is what the connection says; without one, nothing ever.
func (s *Stream) said() <-chan said {
	if s.connection == nil {
		return nil
	}
	return s.connection.said
}

// disconnect gives the connection up. What it still wanted to say is not heard.
func (s *Stream) disconnect() {
	if s.connection != nil {
		s.connection.cancel()
		s.connection = nil
	}
}

// hear gives the link what the connection said.
func (s *Stream) hear(what said) {
	switch {
	case what.response != nil:
		if what.response.Status != http.StatusOK {
			s.disconnect()
		}
		s.link.Opened(s.moment(), *what.response)
	case what.bytes != nil:
		s.tally.bytes += int64(len(what.bytes))
		s.link.Feed(s.moment(), what.bytes)
	default:
		s.disconnect()
		s.lost(what.err)
	}
}

// lost tells the link why a connection is over.
func (s *Stream) lost(err error) {
	var no denied
	if errors.As(err, &no) {
		s.deny(no.error)
		return
	}
	s.link.Closed(s.moment(), !errors.Is(err, io.EOF))
}
