package logfold

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// AppendState writes the fold as a JSON object for [Resume]. It stands for the
// whole lines that were read; what goes on has to begin behind them, at
// Standing().Bytes. False, with dst as it was: a context is being folded, which
// cannot be stopped, or a line was too long to be read.
func (f *Fold) AppendState(dst []byte) ([]byte, bool) {
	if f.Through > 0 || f.lost {
		return dst, false
	}
	w := rawjson.Begin(dst)
	w.Int("v", stateVersion)
	w.Known("session", f.Session)
	w.Int("records", f.records)
	w.Int("lines", f.lines)
	w.Int("bytes", f.start)
	w.Int("first", int64(f.first))
	w.Int("last", int64(f.last))
	w.Known("generation", string(f.generation))
	w.Int("findings", f.total-f.cut)
	if f.Digest {
		w.Text("digest", f.chain.Sum().String())
	}
	for _, part := range f.parts() {
		w.Name(part.name)
		w.Append(part.append)
	}
	return w.End(), true
}

const stateVersion = 1

// part is a fold inside with a state of its own.
type part struct {
	name    string
	append  func(dst []byte) []byte
	restore func(state []byte) error
}

func (f *Fold) parts() []part {
	return []part{
		{"parks", f.parks.AppendState, f.parks.Restore},
		{"grants", f.grants.AppendState, f.grants.Restore},
		{"checkpoints", f.ledger.AppendState, f.ledger.Restore},
	}
}

// saved is a state on its way in.
type saved struct {
	version, records, lines, bytes, first, last, findings int
	session, generation, digest                           string
	parks, grants, checkpoints                            []byte
}

var savedMembers = []rawjson.Member{
	{Name: "v", Offset: unsafe.Offsetof(saved{}.version), Read: rawjson.ReadInt},
	{Name: "session", Offset: unsafe.Offsetof(saved{}.session), Read: rawjson.ReadText},
	{Name: "records", Offset: unsafe.Offsetof(saved{}.records), Read: rawjson.ReadInt},
	{Name: "lines", Offset: unsafe.Offsetof(saved{}.lines), Read: rawjson.ReadInt},
	{Name: "bytes", Offset: unsafe.Offsetof(saved{}.bytes), Read: rawjson.ReadInt},
	{Name: "first", Offset: unsafe.Offsetof(saved{}.first), Read: rawjson.ReadInt},
	{Name: "last", Offset: unsafe.Offsetof(saved{}.last), Read: rawjson.ReadInt},
	{Name: "generation", Offset: unsafe.Offsetof(saved{}.generation), Read: rawjson.ReadText},
	{Name: "findings", Offset: unsafe.Offsetof(saved{}.findings), Read: rawjson.ReadInt},
	{Name: "digest", Offset: unsafe.Offsetof(saved{}.digest), Read: rawjson.ReadText},
	{Name: "parks", Offset: unsafe.Offsetof(saved{}.parks), Read: rawjson.ReadRaw},
	{Name: "grants", Offset: unsafe.Offsetof(saved{}.grants), Read: rawjson.ReadRaw},
	{Name: "checkpoints", Offset: unsafe.Offsetof(saved{}.checkpoints), Read: rawjson.ReadRaw},
}

// Resume goes on with a saved fold: Write then takes the bytes behind the state's.
// Of findings, only the number is kept. The options have to be those that it was
// made with: the digest and the session are compared, the turn is taken from the
// state, and a context cannot be had of half a log. What is no such state is
// fault.BadRecord.
func Resume(o Options, state []byte) (*Fold, error) {
	var s saved
	switch {
	case o.Through > 0:
		return nil, fault.New(fault.BadInput, "a context from the first record on", "a saved fold to go on with")
	case rawjson.Read(state, len(state), unsafe.Pointer(&s), savedMembers) != nil || s.version != stateVersion:
		return nil, badState(state)
	case o.Session != "" && s.session != "" && o.Session != s.session:
		return nil, fault.New(fault.BadInput, "a saved fold of session "+o.Session, "one of session "+s.session)
	case o.Digest != (s.digest != ""):
		return nil, fault.New(fault.BadInput, "a saved fold with the same wish for a digest", "one with the other")
	}
	f := New(o)
	for i, raw := range [][]byte{s.parks, s.grants, s.checkpoints} {
		if f.parts()[i].restore(raw) != nil {
			return nil, badState(state)
		}
	}
	if err := f.stand(&s); err != nil {
		return nil, err
	}
	return f, nil
}

// stand puts the fold where the state says.
func (f *Fold) stand(s *saved) error {
	if s.session != "" {
		f.Session = s.session
	}
	f.records, f.lines, f.start, f.total = int64(s.records), int64(s.lines), int64(s.bytes), int64(s.findings)
	f.first, f.last, f.generation = events.Seq(s.first), events.Seq(s.last), events.Generation(s.generation)
	if !f.Digest {
		return nil
	}
	sum, ok := checkpoint.ParseSum(s.digest)
	if !ok {
		return badState([]byte(s.digest))
	}
	f.chain = checkpoint.Resume(events.Seq(s.records), sum)
	return nil
}

func badState(state []byte) error {
	return fault.New(fault.BadRecord, "a saved fold of a log", fault.Clip(state))
}
