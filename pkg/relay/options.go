package relay

import (
	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// DefaultMaxFrame is the frame limit of a relay, in bytes: many share one memory
//
const DefaultMaxFrame = 4 << 20

// MostPage is the largest PageSize that a host lets itself be asked for. A page is held
// whole, beside the frames of other streams: at 16 MiB so many events have 256 bytes each.
const MostPage = 1 << 16

// Options say what the connection was asked for. The zero value reads one session,
// which the server names, from the beginning, and enforces.
type Options struct {
	Profile  *profile.Profile // nil: profile.Session
	Sessions []string         // sessions asked for; empty: those of Cursors, else the one the server names
	Cursors  []cursor.Cursor  // where the consumer resumes
	From     link.Start       // FromBeginning or FromNow, for sessions without a cursor
	Mode     link.Mode        // Observe passes everything on
	Verdicts bool             // report every verdict, refusals among them
	MaxFrame int              // bytes of one frame; 0: DefaultMaxFrame
	MaxDepth int              // levels of nesting in one event; 0: events.MaxDepth

	Proofs []link.SavedProof // of the events that Cursors stand on: then the connection was asked for from the event before
	Joins  bool              // the consumer has a head already: the one of this connection is not for it

	// PageSize is how many events a page of history has; 0: there are none. With it, the
	// events of one session of the profile "session" that fill whole pages come from those.
	PageSize int

	Midway bool    // bytes of the connection were passed on or left out before: those to come are not its first; so they are with Places
	Places []Place // of the relay that this one goes on for in the middle of the connection; each in place of the session's cursor

	seen link.Stood // generations that were passed on the connection before
}

// link is what the relay's link is made of.
func (o *Options) link() link.Options {
	read := *o.profile()
	read.Terminal = nil // what follows an event that ends a run is the consumer's to read
	lo := link.Options{
		Profile: &read, Sessions: o.Sessions, Cursors: o.Cursors, From: o.From, Mode: o.Mode, Report: o.Verdicts,
		MaxFrame: o.maxFrame(), MaxDepth: o.MaxDepth, Single: true, Passage: true, Proof: link.Off,
	}
	if len(o.Places) > 0 {
		o.goOn(&lo)
	} else {
		lo.Proofs, lo.Stood = o.Proofs, []link.Stood{o.seen}
	}
	if len(lo.Proofs) > 0 {
		lo.Proof = link.Require // whoever asks from the event before says that it is there
	}
	return lo
}

func (o *Options) maxFrame() int {
	if o.MaxFrame == 0 {
		return DefaultMaxFrame
	}
	return o.MaxFrame
}

// goOn lets the link begin where each session stood, in lanes of the same numbers. One
// whose place was not kept yet begins where it was asked for.
func (o *Options) goOn(lo *link.Options) {
	lo.Sessions, lo.Cursors = o.sessions(), nil
	for i := range o.Cursors {
		if !o.placed(o.Cursors[i].Session) {
			lo.Cursors = append(lo.Cursors, o.Cursors[i])
		}
	}
	for i := range o.Places {
		p := &o.Places[i]
		lo.Stood = append(lo.Stood, p.Stood)
		if p.Placed {
			lo.Places = append(lo.Places, p.Cursor)
		}
		if p.Proof.IsSet() {
			lo.Proofs = append(lo.Proofs, link.SavedProof{Session: p.Session, Digest: p.Proof})
		}
	}
}

// sessions are those of the relay that this one goes on for, in its order.
func (o *Options) sessions() []string {
	if len(o.Sessions) > 0 {
		return o.Sessions
	}
	var all []string
	for i := range o.Cursors {
		all = append(all, o.Cursors[i].Session)
	}
	if len(all) == 0 { // the server has named it
		all = append(all, o.Places[0].Session)
	}
	return all
}

// placed reports whether the place of a session was kept.
func (o *Options) placed(session string) bool {
	for i := range o.Places {
		if o.Places[i].Session == session {
			return true
		}
	}
	return false
}

// joins reports whether the consumer has a head already.
func (o *Options) joins() bool {
	for i := range o.Places {
		if o.Places[i].Joins {
			return true
		}
	}
	return o.Joins
}

// pageable reports whether history may come from pages.
func (o *Options) pageable() bool {
	return o.PageSize > 0 && !o.Joins && o.Mode == link.Enforce && o.From == link.FromBeginning && len(o.Places) == 0 &&
		max(len(o.Sessions), len(o.Cursors)) == 1 && (o.Profile == nil || o.Profile == &profile.Session)
}
