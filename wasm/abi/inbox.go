package abi

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/park"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// Inboxes are the inboxes of the lean module, by handle. They answer in the room of
// its links.
type Inboxes struct {
	*Room
	boxes handles // of park.Inbox
}

// keepSettled is how many settled rows of a session an inbox keeps unless told.
const keepSettled = 100

// boxSettings are the options of an inbox.
type boxSettings struct{ keep int }

var boxMembers = []rawjson.Member{
	{Name: "keep", Offset: unsafe.Offsetof(boxSettings{}.keep), Read: readLimit, Words: rowWords},
}

// Open makes an inbox from n bytes of options in the input room. 0: there is none,
// the fault is at Output.
func (m *Inboxes) Open(n int) int32 {
	m.reuse()
	o := &boxSettings{keep: keepSettled}
	arg, f := m.argument(n)
	if f == nil {
		if u := rawjson.Read(arg, events.MaxDepth, unsafe.Pointer(o), boxMembers); u != nil {
			f = unread(fault.InvalidOptions, u)
		}
	}
	if f != nil {
		m.answerFault(f)
		return 0
	}
	b := new(park.Inbox)
	b.Keep(o.keep)
	return m.boxes.open(unsafe.Pointer(b))
}

// Close forgets an inbox.
func (m *Inboxes) Close(h int32) { m.boxes.shut(h) }

// boxInput is the arguments of all inputs; each uses its own.
type boxInput struct {
	session    string
	from       uint8
	seq        int // on the wire; noSeq when absent
	generation string
	state      []byte
	event      []byte
	strength   profile.Strength
	why        string
	after      int // number of an answer; noSeq when absent
}

var boxInputMembers = []rawjson.Member{
	{Name: "session", Offset: unsafe.Offsetof(boxInput{}.session), Read: rawjson.ReadText, Words: "text"},
	{Name: "from", Offset: unsafe.Offsetof(boxInput{}.from), Read: rawjson.ReadChoice, Words: "elsewhere or beginning or saved"},
	{Name: "seq", Offset: unsafe.Offsetof(boxInput{}.seq), Read: rawjson.ReadInt, Words: "an integer of at least 0"},
	{Name: "generation", Offset: unsafe.Offsetof(boxInput{}.generation), Read: rawjson.ReadText, Words: "text"},
	{Name: "state", Offset: unsafe.Offsetof(boxInput{}.state), Read: rawjson.ReadRaw},
	{Name: "event", Offset: unsafe.Offsetof(boxInput{}.event), Read: rawjson.ReadRaw},
	{Name: "strength", Offset: unsafe.Offsetof(boxInput{}.strength), Read: rawjson.ReadChoice, Words: strengthWords},
	{Name: "why", Offset: unsafe.Offsetof(boxInput{}.why), Read: rawjson.ReadText, Words: "text"},
	{Name: "after", Offset: unsafe.Offsetof(boxInput{}.after), Read: rawjson.ReadInt, Words: "an integer of at least 0"},
}

// The places of the words of from. What is absent is the first, which claims least, as
// it is of strength.
const (
	fromBeginning = 1
	fromSaved     = 2
)

// Do gives an inbox an input, its n bytes of argument in the input room, and answers
// the length of what is at Output: 0 for nothing.
func (m *Inboxes) Do(h, kind int32, n int, now float64) int {
	m.reuse()
	in := &boxInput{seq: noSeq, after: noSeq}
	f := m.input(h, kind, n, now, in)
	if f != nil {
		m.answerFault(f)
	}
	return len(m.out)
}

func (m *Inboxes) input(h, kind int32, n int, now float64, in *boxInput) *fault.Fault {
	b := (*park.Inbox)(m.boxes.get(h))
	if b == nil {
		return fault.New(fault.BadHandle, "an open inbox", "one that is closed or was never opened")
	}
	arg, f := m.argument(n)
	if f != nil {
		return f
	}
	if u := rawjson.Read(arg, len(arg), unsafe.Pointer(in), boxInputMembers); u != nil {
		return unread(fault.BadInput, u)
	}
	ms, ok := Millis(now)
	if !ok || kind != boxRows && in.session == "" {
		return badBoxInput()
	}
	return m.perform(b, kind, ms, in)
}

func badBoxInput() *fault.Fault {
	return fault.New(fault.BadInput, "an input of docs/seam.md", "something else")
}

// Kinds of input, see docs/seam.md.
const (
	boxBegin = 1 + iota
	boxEvent
	boxLive
	boxLost
	boxForget
	boxRows
	boxSave
)

// InboxNames are the names of these inputs, by number; "" for one that is none.
var InboxNames = []string{
	boxBegin: "begin", boxEvent: "event", boxLive: "live", boxLost: "lost", boxForget: "forget", boxRows: "rows", boxSave: "save",
}

func (m *Inboxes) perform(b *park.Inbox, kind int32, now int64, in *boxInput) *fault.Fault {
	switch kind {
	case boxBegin:
		return in.begin(b)
	case boxEvent:
		if in.seq != noSeq { // what is not recorded is no record
			b.Event(in.session, events.Seq(in.seq), events.Generation(in.generation), in.event)
		}
	case boxLive:
		b.Live(in.session, in.strength >= profile.StrengthContiguous)
	case boxLost:
		why, ok := park.WhyNamed(in.why)
		if !ok {
			return badBoxInput()
		}
		b.Lost(in.session, why)
	case boxForget:
		b.Forget(in.session)
	case boxRows:
		m.rows(b, now, in.after)
	case boxSave:
		m.save(b, in)
	default:
		return badBoxInput()
	}
	return nil
}

func (m *Inboxes) rows(b *park.Inbox, now int64, after int) {
	if after == noSeq {
		m.out = b.AppendJSON(m.out, now)
	} else {
		m.out = b.AppendChanges(m.out, now, after)
	}
}

// begin begins a session as its stream does.
func (in *boxInput) begin(b *park.Inbox) *fault.Fault {
	switch {
	case in.from == fromBeginning:
		b.Begin(in.session)
	case in.from == fromSaved && in.seq != noSeq:
		return b.Resume(in.session, in.state, events.Seq(in.seq), events.Generation(in.generation))
	default:
		b.BeginElsewhere(in.session)
	}
	return nil
}

// save answers the state of a session, null when it has none worth keeping.
//
//go:noinline
func (m *Inboxes) save(b *park.Inbox, in *boxInput) {
	state, ok := b.AppendState(nil, in.session, events.Seq(in.seq), events.Generation(in.generation))
	if in.seq == noSeq || !ok {
		state = []byte("null")
	}
	w := rawjson.Begin(m.out)
	w.Raw("state", state)
	m.out = w.End()
}
