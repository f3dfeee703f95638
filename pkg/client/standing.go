package client

import (
	"maps"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/link"
)

// Standing says where a stream stands, in the words of docs/states.md. It is never
// changed: each change makes a new one.
type Standing struct {
	Connection string            // idle, connecting, open, waiting, unauthorized, closed
	Attempt    int               // waits since the last progress, while connecting or waiting
	RetryAt    time.Time         // when the wait is over; zero while there is none
	Sessions   map[string]string // waiting, replaying, live, resyncing, loading, refused or ended, of those that have a name
}

// Standing is where the stream stands, as of the last item that was asked for. It
// may be called from any goroutine.
func (s *Stream) Standing() Standing {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.standing
	now.Sessions = maps.Clone(now.Sessions)
	return now
}

// stands: the connection stands elsewhere.
func (s *Stream) stands(a *link.Action) Item {
	now := s.standing
	now.Connection, now.Attempt, now.RetryAt = a.Name, a.Attempt, time.Time{}
	if a.Name == link.Waiting {
		now.RetryAt = time.UnixMilli(int64(a.At))
	}
	s.moved(now)
	return nil
}

// turned: a session stands elsewhere.
func (s *Stream) turned(a *link.Action) Item {
	s.phases[a.Lane] = a.Name
	s.moved(s.standing)
	return nil
}

func (s *Stream) moved(now Standing) {
	now.Sessions = map[string]string{}
	for i, phase := range s.phases {
		if name := s.link.Session(i); name != "" {
			now.Sessions[name] = phase
		}
	}
	s.mu.Lock()
	s.standing = now
	s.mu.Unlock()
	if s.OnState != nil {
		now.Sessions = maps.Clone(now.Sessions)
		s.OnState(now)
	}
}
