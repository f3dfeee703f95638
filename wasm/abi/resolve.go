package abi

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/replay"
)

// question is the arguments of resolve. Values stay raw until the profile is
// known, because its base says what a number means.
type question struct {
	profile *profile.Profile
	session string
	cursor  []byte
	head    []byte
	events  []byte
	more    bool
}

func (q *question) member(name string, raw []byte) (err error) {
	switch name {
	case "profile":
		q.profile, err = profile.Parse(raw)
	case "session":
		err = readText(&q.session, name, raw)
	case "cursor":
		q.cursor = raw
	case "head":
		q.head = raw
	case "more":
		err = readBool(&q.more, name, raw)
	case "events":
		if q.events = raw; rawjson.KindOf(raw) != rawjson.Array {
			err = fault.New(fault.BadInput, "events: a list", clip(raw))
		}
	default:
		err = unknown(fault.BadInput, name)
	}
	return err
}

// resolve answers what a cursor is owed. The argument need not be JSON to the
// letter inside cursor, head and events: a bare word or a number that JSON has
// no form for is malformed there, and that is the resolver's to say.
func resolve(arg []byte) ([]byte, error) {
	q := question{profile: &profile.Session}
	if err := readLoose(arg, &q); err != nil {
		return nil, err
	}
	if q.profile.Position == profile.InID {
		return nil, fault.New(fault.InvalidOptions, "a profile whose position is payload or counted, since a page has no SSE ids", "position: id")
	}
	c, err := q.readCursor()
	if err != nil {
		return nil, err
	}
	h, err := q.readHead()
	if err != nil {
		return nil, err
	}
	return q.answer(q.check(c, h)), nil
}

// check feeds the page to the resolver.
func (q *question) check(c cursor.Cursor, h replay.Head) replay.Verdict {
	page := replay.NewPage(q.profile, c, h)
	r := newReader(q.profile)
	var e events.Envelope
	for text := range looseElements(q.events) {
		page.Add(&e, r.read(text, &e))
	}
	return page.Verdict(q.more)
}

func (q *question) answer(v replay.Verdict) []byte {
	base := q.profile.Base
	w := rawjson.Begin(nil)
	w.Text("status", v.Outcome.String())
	if v.Outcome == replay.Unavailable {
		w.Name("refusal")
		w.Append(func(dst []byte) []byte {
			return v.Refusal.AppendJSON(dst, base, strength(q.profile, v.Refusal.Evidence.SavedGeneration))
		})
		return w.End()
	}
	if v.Outcome == replay.Replayed {
		w.Int("from", int64(cursor.ToWire(v.From, base)))
		w.Int("count", int64(v.Count))
		w.Bool("more", v.More)
	}
	w.Name("cursor")
	w.Append(func(dst []byte) []byte { return appendCursor(dst, &v.Next, base) })
	return w.End()
}

func strength(p *profile.Profile, g events.Generation) profile.Strength {
	return p.StrengthOf(g.IsSet())
}

// readCursor reads a token, or an object with sinceSeq and generation. Absent is
// from the beginning; null is malformed.
func (q *question) readCursor() (cursor.Cursor, error) {
	c := cursor.Cursor{Session: q.session}
	if q.cursor == nil {
		return c, nil
	}
	if token, ok := rawjson.Text(q.cursor); ok {
		return q.readToken(token)
	}
	if rawjson.KindOf(q.cursor) != rawjson.Object {
		return c, fault.New(fault.InvalidCursor, "a token or an object", clip(q.cursor))
	}
	for name, raw := range looseMembers(q.cursor) {
		if err := q.cursorMember(&c, string(name), raw); err != nil {
			return c, err
		}
	}
	return c, nil
}

func (q *question) readToken(token string) (cursor.Cursor, error) {
	c, err := cursor.Parse(token, q.profile.Base)
	if err == nil && q.session != "" && c.Session != q.session {
		f := fault.New(fault.ForeignSession, "a cursor of session "+q.session, "one of session "+c.Session)
		f.Session = q.session
		return c, f
	}
	return c, err
}

func (q *question) cursorMember(c *cursor.Cursor, name string, raw []byte) error {
	switch name {
	case "sinceSeq":
		n, ok := events.ParseCursorSeq(raw)
		if ok {
			c.Seq, ok = cursor.FromWire(n, q.profile.Base)
		}
		if !ok {
			return fault.New(fault.InvalidCursor, "sinceSeq: an integer from 0 to 9007199254740991", clip(raw))
		}
		return nil
	case "generation":
		return cursorGeneration(&c.Generation, raw)
	}
	return fault.New(fault.InvalidCursor, "sinceSeq and generation", "the member "+name)
}

// readHead reads lastSeq, generation and oldestSeq. Where the first seq is 0, an
// empty log has no lastSeq.
func (q *question) readHead() (h replay.Head, err error) {
	if q.head == nil || rawjson.KindOf(q.head) != rawjson.Object {
		return h, fault.New(fault.InvalidHead, "an object with lastSeq", clip(q.head))
	}
	said := false
	for name, raw := range looseMembers(q.head) {
		ok := true
		switch string(name) {
		case "lastSeq":
			h.LastSeq, ok = q.headSeq(raw)
			said = ok
		case "oldestSeq":
			h.OldestSeq, ok = q.headSeq(raw)
		case "generation":
			h.Generation, ok = events.ParseGeneration(raw)
		default:
			return h, fault.New(fault.InvalidHead, "lastSeq, oldestSeq and generation", "the member "+string(name))
		}
		if !ok {
			return h, fault.New(fault.InvalidHead, "a usable "+string(name), clip(raw))
		}
	}
	if !said && q.profile.Base > 0 {
		return h, fault.New(fault.InvalidHead, "lastSeq", "none")
	}
	return h, nil
}

func (q *question) headSeq(raw []byte) (events.Seq, bool) {
	n, ok := rawjson.Uint(raw)
	if !ok {
		return 0, false
	}
	return cursor.FromWire(events.Seq(n), q.profile.Base)
}
