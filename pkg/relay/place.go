package relay

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// Place is where one session of a connection stands: what another relay needs to go on
// in the middle of it, behind the bytes that were passed on or cut out.
type Place struct {
	link.Stood
	Cursor cursor.Cursor
	Placed bool // Cursor is a position to go on from
	Paging bool // it is behind pages, or before them, and no connection is open
	Joins  bool // the consumer has a head already
}

// moves keeps a place of which nothing but the number has changed, as with nearly every
// event, without a look at the rest of it. One that was not kept yet is kept whole.
func (r *Relay) moves(a *link.Action) {
	if a.Steps && !r.local && a.Lane < len(r.places) && r.places[a.Lane].Placed {
		r.step(a.Lane, a.Cursor.Seq)
		return
	}
	r.note(a.Lane)
}

func (r *Relay) step(lane int, to events.Seq) {
	p := &r.places[lane]
	p.Cursor.Seq = to
	o := r.add(Keep)
	o.Lane, o.Place, o.Moved = lane, p, true
}

// note remembers a lane whose place has moved.
func (r *Relay) note(lane int) {
	for _, known := range r.moved {
		if known == lane {
			return
		}
	}
	r.moved = append(r.moved, lane)
}

// keep orders to keep the place of a lane, once that has a name.
func (r *Relay) keep(lane int) {
	stood := r.link.Stands(lane)
	if stood.Session == "" {
		return
	}
	r.orderKept(lane, &Place{Stood: stood, Cursor: *r.link.Place(lane), Placed: r.link.Placed(lane), Joins: r.options.Joins})
}

// orderKept orders to keep the whole of a place.
func (r *Relay) orderKept(lane int, p *Place) {
	for lane >= len(r.places) {
		r.places = append(r.places, Place{})
	}
	had := &r.places[lane]
	*had = *p
	had.Seen = append([]events.Generation(nil), p.Seen...) // the link goes on with its own
	o := r.add(Keep)
	o.Lane, o.Place = lane, had
}

// AppendJSON appends the place as a host keeps it, without knowing what it says.
// Numbers count from 1 whatever the stream does.
func (p *Place) AppendJSON(dst []byte) []byte {
	w := rawjson.Begin(dst)
	w.Text("session", p.Session)
	if p.Placed {
		w.Int("seq", int64(p.Cursor.Seq))
		w.Known("generation", string(p.Cursor.Generation))
	}
	if p.Headed {
		w.Int("last", int64(p.Head.LastSeq))
		w.Int("oldest", int64(p.Head.OldestSeq))
		w.Known("head", string(p.Head.Generation))
	}
	if p.Stood.Seq > 0 {
		w.Int("here", int64(p.Stood.Seq))
	}
	if len(p.Seen) > 0 {
		w.Name("seen")
		w.Append(p.appendSeen)
	}
	w.Known("proof", p.Proof.String())
	for _, flag := range [...]struct {
		name string
		set  bool
	}{{"settled", p.Settled}, {"over", p.Over}, {"paging", p.Paging}, {"joins", p.Joins}} {
		if flag.set {
			w.Bool(flag.name, true)
		}
	}
	return w.End()
}

func (p *Place) appendSeen(dst []byte) []byte {
	for i, g := range p.Seen {
		dst = append(dst, "[,"[min(i, 1)])
		dst = rawjson.AppendQuoted(dst, string(g))
	}
	return append(dst, ']')
}

// written is a place as it is written.
type written struct {
	session, generation, head    string
	seq, last, oldest, here      int
	settled, over, paging, joins bool
	seen                         []string
	proof                        cursor.Proof
}

var placeMembers = []rawjson.Member{
	{Name: "session", Offset: unsafe.Offsetof(written{}.session), Read: rawjson.ReadText},
	{Name: "seq", Offset: unsafe.Offsetof(written{}.seq), Read: rawjson.ReadInt},
	{Name: "generation", Offset: unsafe.Offsetof(written{}.generation), Read: rawjson.ReadText},
	{Name: "last", Offset: unsafe.Offsetof(written{}.last), Read: rawjson.ReadInt},
	{Name: "oldest", Offset: unsafe.Offsetof(written{}.oldest), Read: rawjson.ReadInt},
	{Name: "head", Offset: unsafe.Offsetof(written{}.head), Read: rawjson.ReadText},
	{Name: "here", Offset: unsafe.Offsetof(written{}.here), Read: rawjson.ReadInt},
	{Name: "seen", Offset: unsafe.Offsetof(written{}.seen), Read: rawjson.ReadTexts},
	{Name: "settled", Offset: unsafe.Offsetof(written{}.settled), Read: rawjson.ReadBool},
	{Name: "over", Offset: unsafe.Offsetof(written{}.over), Read: rawjson.ReadBool},
	{Name: "paging", Offset: unsafe.Offsetof(written{}.paging), Read: rawjson.ReadBool},
	{Name: "joins", Offset: unsafe.Offsetof(written{}.joins), Read: rawjson.ReadBool},
	{Name: "proof", Offset: unsafe.Offsetof(written{}.proof), Read: readProof},
}

func readProof(into unsafe.Pointer, raw []byte, _ string) (ok bool) {
	text, _ := rawjson.Text(raw)
	*(*cursor.Proof)(into), ok = cursor.ReadProof(text)
	return ok
}

// absent is a number that was not written.
const absent = -1

// ReadPlace reads what AppendJSON wrote. False: it is something else.
func ReadPlace(text []byte) (p Place, ok bool) {
	w := &written{seq: absent, last: absent}
	if rawjson.Read(text, events.MaxDepth, unsafe.Pointer(w), placeMembers) != nil || !cursor.ValidSession(w.session) ||
		max(w.seq, w.last, w.oldest-1, w.here) > int(events.MaxSeq) {
		return p, false
	}
	p.Session, p.Cursor.Session, p.Proof, p.Stood.Seq = w.session, w.session, w.proof, events.Seq(w.here)
	p.Settled, p.Over, p.Paging, p.Joins = w.settled, w.over, w.paging, w.joins
	for _, g := range w.seen {
		p.Seen = append(p.Seen, events.Generation(g))
	}
	if p.Placed = w.seq != absent; p.Placed {
		p.Cursor.Seq, p.Cursor.Generation = events.Seq(w.seq), events.Generation(w.generation)
	}
	if p.Headed = w.last != absent; p.Headed {
		p.Head.LastSeq, p.Head.OldestSeq, p.Head.Generation = events.Seq(w.last), events.Seq(w.oldest), events.Generation(w.head)
	}
	return p, true
}
