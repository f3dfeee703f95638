package park

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// AppendState writes what a session has folded, for [Inbox.Resume]:
// `{"v":1,"seq","generation"?,"fold":…}`. seq and generation are the cursor up to
// which its events were handed over; state and cursor are to be saved as one. False,
// with dst as it was: there is nothing to save that could be trusted later, since
// the fold is not whole or has read beyond that cursor.
//
//go:noinline
func (b *Inbox) AppendState(dst []byte, session string, seq events.Seq, generation events.Generation) ([]byte, bool) {
	i := b.find(session)
	if i < 0 {
		return dst, false
	}
	s := b.sessions[i]
	if s.why.lasts() || s.placed && seq < s.last {
		return dst, false
	}
	return s.fold.AppendSaved(dst, seq, generation), true
}

// AppendSaved writes a whole fold of a session up to a cursor as [Inbox.AppendState]
// does. It is for whoever folded the log itself.
func (f *Fold) AppendSaved(dst []byte, seq events.Seq, generation events.Generation) []byte {
	w := rawjson.Begin(dst)
	w.Int("v", stateVersion)
	w.Int("seq", int64(seq))
	w.Known("generation", string(generation))
	w.Raw("fold", f.AppendState(nil))
	return w.End()
}

// savedSession is the state of a session on its way in.
type savedSession struct {
	version    int
	seq        int
	generation string
	fold       []byte
}

var sessionMembers = []rawjson.Member{
	{Name: "v", Offset: unsafe.Offsetof(savedSession{}.version), Read: rawjson.ReadInt},
	{Name: "seq", Offset: unsafe.Offsetof(savedSession{}.seq), Read: rawjson.ReadInt},
	{Name: "generation", Offset: unsafe.Offsetof(savedSession{}.generation), Read: rawjson.ReadText},
	{Name: "fold", Offset: unsafe.Offsetof(savedSession{}.fold), Read: readRaw},
}

// Resume says that the stream of a session goes on behind a cursor, and gives what
// was saved with it. Only a fold that was saved at exactly that cursor will do
// with any other, and with what is none, the session is Elsewhere, and the
// fault says what is wrong (fault.BadRecord). nil: the fold goes on.
func (b *Inbox) Resume(session string, state []byte, seq events.Seq, generation events.Generation) *fault.Fault {
	s := b.session(session)
	s.begin(Elsewhere)
	var saved savedSession
	if rawjson.Read(state, len(state), unsafe.Pointer(&saved), sessionMembers) != nil || saved.version != stateVersion {
		return badState(state)
	}
	if events.Seq(saved.seq) != seq || saved.generation != string(generation) {
		return fault.New(fault.BadRecord, "a fold that was saved at the cursor where the stream goes on", "one of another cursor")
	}
	if f := s.fold.restore(saved.fold); f != nil {
		return f
	}
	for _, p := range s.fold.list {
		s.before.forget(p.DecisionID)
	}
	s.why, s.placed, s.last, s.fence = CatchingUp, true, seq, generation
	return nil
}
