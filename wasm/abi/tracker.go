package abi

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// follower is a tracker on its own, for hosts that bring their own transport.
type follower struct {
	tracker cursor.Tracker
	reader  reader
	base    events.Seq
	event   events.Envelope
}

// start is the arguments of trackerOpen.
type start struct {
	profile *profile.Profile
	session string
	token   string
}

func (s *start) member(name string, raw []byte) (err error) {
	switch name {
	case "profile":
		s.profile, err = profile.Parse(raw)
	case "session":
		err = readText(&s.session, name, raw)
	case "cursor":
		err = cursorText(&s.token, raw)
	default:
		err = unknown(fault.InvalidOptions, name)
	}
	return err
}

func (m *Calls) trackerOpen(arg []byte) ([]byte, error) {
	s := start{profile: &profile.Session}
	if err := readObject(arg, fault.InvalidOptions, s.member); err != nil {
		return nil, err
	}
	c, err := s.cursor()
	if err != nil {
		return nil, err
	}
	f := &follower{reader: newReader(s.profile), base: s.profile.Base}
	f.tracker.Start(s.profile, &c)
	return handleAnswer(m.trackers.open(unsafe.Pointer(f)))
}

func (s *start) cursor() (cursor.Cursor, error) {
	if s.token == "" {
		if s.session != "" && !cursor.ValidSession(s.session) {
			return cursor.Cursor{}, fault.New(fault.InvalidOptions, "session: an id without control characters", clip([]byte(s.session)))
		}
		return cursor.Cursor{Session: s.session}, nil
	}
	q := question{profile: s.profile, session: s.session}
	return q.readToken(s.token)
}

func (m *Calls) trackerObserve(h int32, arg []byte) ([]byte, error) {
	f := (*follower)(m.trackers.get(h))
	if f == nil {
		return nil, badHandle("tracker")
	}
	problem := f.reader.read(arg, &f.event)
	r := link.Report{}
	f.tracker.Observe(&r.Decision, &f.event, problem)
	r.Session, r.Cursor = f.tracker.Session(), *f.tracker.Place()
	return r.AppendJSON(nil, f.base), nil
}

func (m *Calls) trackerState(h int32) ([]byte, error) {
	f := (*follower)(m.trackers.get(h))
	if f == nil {
		return nil, badHandle("tracker")
	}
	return appendCursor(nil, f.tracker.Place(), f.base), nil
}
