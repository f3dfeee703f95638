package sessionlog

import (
	"bytes"
	"strconv"
	"time"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Stamp is what a log gives to an event when it records it.
type Stamp struct {
	Session    string
	Seq        events.Seq
	Generation events.Generation
	Time       time.Time // record time; kept in UTC to the millisecond
}

// Draft is an event that was checked and can be stamped.
type Draft struct {
	session string
	e       envelope
}

// MaxRecord is the default limit of one event's text, in bytes.
const MaxRecord = 48 << 20

// NewDraft checks an event that is to be appended to session's log: a JSON object
// with a type that belongs in a log, at most limit bytes (0: [MaxRecord]), of
// that session or of none, not stamped by anybody. The faults are BadEvent,
// ForeignSession and FrameTooLarge. text is not copied.
func NewDraft(session string, text []byte, limit int) (Draft, error) {
	e, err := readUnstamped(session, text, limit)
	if err != nil {
		return Draft{}, err
	}
	name, ok := e.textOf(memType)
	if !ok || name == "" {
		return Draft{}, badEvent(session, "a type, as text", "none", 0)
	}
	if class := events.TypeAt(events.TypeIndex([]byte(name))).Class; class == events.ClassEphemeral || class == events.ClassListener {
		return Draft{}, badEvent(session, "a type that is recorded; hand this one to Publish", name+" ("+class.String()+")", 0)
	}
	if v := e.raw(memV); v != nil && string(v) != "1" {
		return Draft{}, badEvent(session, "record version 1", "v "+shorten(v), e.value[memV].from)
	}
	if id, _ := e.session(); id != "" && id != session {
		return Draft{}, foreign(session, id)
	}
	return Draft{session: session, e: e}, nil
}

// readUnstamped reads an event on its way in, whoever it is for.
func readUnstamped(session string, text []byte, limit int) (envelope, error) {
	if limit <= 0 {
		limit = MaxRecord
	}
	if len(text) > limit {
		f := fault.New(fault.FrameTooLarge, "an event of at most "+strconv.Itoa(limit)+" bytes", strconv.Itoa(len(text))+" bytes")
		f.Session = session
		return envelope{}, f
	}
	e, wrong, at := readEnvelope(text)
	if wrong != "" {
		return e, badEvent(session, "an event as one JSON object", wrong, at)
	}
	for _, m := range [...]int{memSeq, memGen, memGeneration, memTS} {
		if e.raw(m) != nil {
			return e, badEvent(session, "an event that nobody has stamped", memberNames[m]+" is set", e.value[m].from)
		}
	}
	if _, ok := e.session(); !ok {
		return e, badEvent(session, "a session id as text", shorten(e.raw(memSession)), e.value[memSession].from)
	}
	if _, ok := e.textOf(memTurn); !ok {
		return e, badEvent(session, "turnId as text", shorten(e.raw(memTurn)), e.value[memTurn].from)
	}
	return e, nil
}

// Record is the event as a log line: v, type, seq, gen, ts, sessionId and turnId,
// then the event's other members, in their order and with their bytes. lineage is
// left out: a log's lineage follows from its first record. There is no line break
// in it.
func (d *Draft) Record(s Stamp) []byte { return d.stamped(s, memGen) }

// Event is the same record as a live event: gen is called generation.
func (d *Draft) Event(s Stamp) Event {
	return Event{Seq: s.Seq, Generation: s.Generation, Text: d.stamped(s, memGeneration)}
}

func (d *Draft) stamped(s Stamp, generation int) []byte {
	dst := make([]byte, 0, len(d.e.text)+160)
	dst = append(dst, `{"v":1,"type":`...)
	dst = append(dst, d.e.raw(memType)...)
	dst = append(dst, `,"seq":`...)
	dst = strconv.AppendUint(dst, uint64(s.Seq), 10)
	if s.Generation.IsSet() {
		dst = append(dst, `,"`+memberNames[generation]+`":`...)
		dst = s.Generation.AppendJSON(dst)
	}
	dst = append(dst, `,"ts":"`...)
	dst = s.Time.UTC().AppendFormat(dst, "2006-01-02T15:04:05.000Z")
	dst = append(dst, `","sessionId":`...)
	dst = rawjson.AppendQuoted(dst, s.Session)
	if turn := d.e.raw(memTurn); turn != nil {
		dst = append(dst, `,"turnId":`...)
		dst = append(dst, turn...)
	}
	for _, p := range d.e.payload {
		dst = append(dst, ',')
		dst = append(dst, p.of(d.e.text)...)
	}
	return oneLine(append(dst, '}'))
}

// oneLine puts spaces for line breaks. JSON allows those between tokens only, so
// no value changes.
func oneLine(text []byte) []byte {
	for i, c := range text {
		if c == '\n' || c == '\r' {
			text[i] = ' '
		}
	}
	return text
}

// Relay checks an event that is published without being recorded, and answers
// its text as it goes out: as it stands, with sessionId in front when it names
// none. It may be another session's: a child's event is relayed that way.
func Relay(session string, text []byte, limit int) (Event, error) {
	e, err := readUnstamped(session, text, limit)
	if err != nil {
		return Event{}, err
	}
	if e.raw(memSession) != nil {
		return Event{Text: oneLine(bytes.TrimSpace(bytes.Clone(text)))}, nil
	}
	return Event{Text: oneLine(bytes.TrimSpace(e.withSession(session)))}, nil
}

// withSession is the text with the session id in front; a null one is taken out
// by being replaced.
func (e *envelope) withSession(session string) []byte {
	id := rawjson.AppendQuoted(nil, session)
	if v := e.value[memSession]; v != (span{}) {
		return bytes.Join([][]byte{e.text[:v.from], id, e.text[v.to:]}, nil)
	}
	comma := ","
	if e.text[e.open] == '}' {
		comma = ""
	}
	return bytes.Join([][]byte{e.text[:e.open], []byte(`"sessionId":`), id, []byte(comma), e.text[e.open:]}, nil)
}

// CheckSession reports whether a log can be kept under this id.
func CheckSession(id string) error {
	if cursor.ValidSession(id) {
		return nil
	}
	return fault.New(fault.BadInput, "a session id: text without control characters", strconv.Quote(id))
}

func badEvent(session, expected, found string, at int) error {
	f := fault.New(fault.BadEvent, expected, found)
	f.Session, f.Offset = session, int64(at)
	return f
}

func foreign(session, found string) error {
	f := fault.New(fault.ForeignSession, "an event of session "+strconv.Quote(session), shorten([]byte(found)))
	f.Session = session
	return f
}

// shorten keeps a value out of a message but for a glimpse.
func shorten(raw []byte) string {
	const most = 40
	if len(raw) > most {
		return strconv.Quote(string(raw[:most])) + "…"
	}
	return strconv.Quote(string(raw))
}
