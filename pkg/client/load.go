package client

import (
	"net/http"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// load runs the app's load beside the stream.
func (s *Stream) load(a *link.Action) Item {
	lane, r := a.Lane, LoadRequest{Session: s.link.Session(a.Lane), Why: a.Why}
	if a.Refusal != nil {
		r.Refused = s.refusal(a)
	}
	s.loads[lane]++
	turn := s.loads[lane]
	s.beside(func() func() {
		loaded, err := s.Load(s.ctx, r)
		return func() {
			if turn == s.loads[lane] {
				s.loaded(lane, loaded, err)
			}
		}
	})
	return nil
}

// loaded gives the link the cursor of a state, and keeps the state for its item.
func (s *Stream) loaded(lane int, loaded Loaded, err error) {
	var c cursor.Cursor
	if err == nil {
		c, err = cursor.Parse(loaded.Cursor, s.Profile.Base)
	}
	if err != nil {
		s.blame = err
		s.link.LoadFailed(s.moment(), lane, err.Error())
		return
	}
	s.states[lane] = loaded.State
	s.link.Loaded(s.moment(), lane, c)
}

// renew asks for new credentials beside the stream.
func (s *Stream) renew(a *link.Action) Item {
	r := Request{URL: s.request.URL, Status: a.Status}
	s.beside(func() func() {
		header, err := s.Credentials(s.ctx, r)
		return func() { s.renewed(header, err) }
	})
	return nil
}

func (s *Stream) renewed(header http.Header, err error) {
	if header == nil {
		header = http.Header{}
	}
	s.blame, s.fresh = err, header
	s.link.Renewed(s.moment(), err != nil)
}

// deny ends the stream because there are no credentials to begin with.
func (s *Stream) deny(cause error) {
	s.blame = cause
	s.link.Fail(fault.New(fault.Unauthorized, "headers from Credentials", "an error"))
}

// blamed gives a fault that a callback has brought about its cause.
func (s *Stream) blamed(f *fault.Fault) *fault.Fault {
	if f != nil && f.Err == nil && (f.ID == fault.LoadFailed || f.ID == fault.Unauthorized) {
		f.Err, s.blame = s.blame, nil
	}
	return f
}
