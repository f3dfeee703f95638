package flaky

import (
	_ "embed"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/sse"
)

//go:embed recording.sse
var recorded []byte

// Event is one event of the recording.
type Event struct {
	Session    string
	Seq        events.Seq // 0: a draft
	After      events.Seq // of a draft: the record of its session that it follows
	Generation events.Generation
	ID         string // its SSE id; "" for a draft
	Text       []byte // as the log holds it; not to be written to

	live bool // it stands behind the replay
}

// Log is what the recording holds of a session, in order: its records, and the
// drafts between them. It is not to be written to.
func Log(session string) []Event { return logs[session] }

// Records is [Log] without the drafts: what a consumer has to end up with.
func Records(session string) []Event { return records[session] }

// Sessions are the sessions of the recording, in the order of their heads.
func Sessions() []string { return append([]string(nil), sessions...) }

var (
	recording, sessions = read(recorded)
	logs                = bySession(func(*Event) bool { return true })
	records             = bySession(func(e *Event) bool { return e.Seq > 0 })
)

func bySession(take func(*Event) bool) map[string][]Event {
	all := map[string][]Event{}
	for i := range recording {
		if e := &recording[i]; take(e) {
			all[e.Session] = append(all[e.Session], *e)
		}
	}
	return all
}

// read takes a recorded stream apart. It is ours, so that what it does not hold
// stops the program.
func read(stream []byte) (all []Event, names []string) {
	decoder, scanner := sse.NewDecoder(0), profile.Session.NewScanner()
	decoder.Feed(stream)
	last, live := map[string]events.Seq{}, false
	var frame sse.Frame
	for decoder.Next(&frame) == sse.HaveFrame {
		var e events.Envelope
		switch problem := scanner.Scan(frame.Data, &e); {
		case problem != events.NoProblem:
			panic("recording.sse: " + problem.String())
		case string(frame.Event) == "tidemark.head":
			names = append(names, string(e.Session))
		case string(frame.Event) == "tidemark.live":
			live = true
		case len(frame.Event) == 0:
			all = append(all, Event{
				Session: string(e.Session), Seq: e.Seq, After: last[string(e.Session)],
				Generation: events.Generation(e.Generation), ID: string(frame.ID),
				Text: append([]byte(nil), frame.Data...), live: live,
			})
			last[string(e.Session)] = max(e.Seq, last[string(e.Session)])
		}
	}
	return all, names
}

// generation is that of a session's log, "" when it has none.
func generation(session string) events.Generation {
	all := records[session]
	return all[len(all)-1].Generation
}

// last is the last seq of a session: of all, or of what was there when the
// recording began.
func last(session string, live bool) (seq events.Seq) {
	for i := range records[session] {
		if e := &records[session][i]; live || !e.live {
			seq = e.Seq
		}
	}
	return seq
}
