package checkpoint

import (
	"bytes"
	"strconv"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Proof proves one checkpoint in one pass over its log: it takes the chain of the
// covered part, finds the record that commits the document, and looks at how that
// record stands between its neighbours. Its memory does not grow with the log.
//
//	p := checkpoint.Prove(id, document)
//	for each record, first to last { p.Add(record) }
//	d, err := p.Result()
type Proof struct {
	id       string
	document []byte
	sum      []byte // digest of the document, as it is written
	through  events.Seq
	named    bool // the document says this id, or cannot be read
	of       *Proofs

	chain  Chain  // up to through, once it is there
	record []byte // the one that commits; nil until it comes
	prev   stamp  // of the record before it
	next   stamp  // of the record behind it
	near   bool   // no record commits the id, but one speaks of this document
	gone   bool   // a later record says that it was pruned
}

// Prove begins the proof of a document by itself. The document may be damaged: the
// result says so.
func Prove(id string, document []byte) *Proof { return new(Proofs).Prove(id, document) }

// Through is the last seq that the document says it covers; 0 when the document
// cannot be read.
func (p *Proof) Through() events.Seq { return p.through }

// Add takes the next record of the log, from the first one to the last, also for all
// proofs that were begun together with this one. The record is not kept.
func (p *Proof) Add(record []byte) { p.of.Add(record) }

// written sees a record that commits something, which may be this document.
func (p *Proof) written(record []byte, w *Written, err error) {
	exact := err == nil && w.CheckpointID == p.id
	if exact || p.record == nil && (err == nil && p.carries(w) || err != nil && p.mentions(record)) {
		p.take(record)
		p.gone = p.gone && !exact
	}
}

// take keeps a record as the one that commits.
func (p *Proof) take(record []byte) {
	p.record, p.prev, p.next = bytes.Clone(record), stamp{}, stamp{}
	if p.of.seen > 1 {
		p.prev = stampOf(p.of.before)
	}
	p.of.open = append(p.of.open, p)
}

// carries reports whether a record names another id and commits this very document,
// so that the id in the record is what was damaged. When the document says another id
// itself, the record is one of that checkpoint, and nothing is damaged.
func (p *Proof) carries(w *Written) bool { return p.named && w.SHA256.String() == string(p.sum) }

// mentions reports whether a committing record that cannot be read is about this
// document.
func (p *Proof) mentions(record []byte) bool {
	return p.named && bytes.Contains(record, p.sum) || bytes.Contains(record, quoted(p.id))
}

// Result is the proven document, or the first thing that is wrong: the faults of
// [Verify], and before them fault.UnknownCheckpoint when nothing commits the
// document or it was pruned.
func (p *Proof) Result() (Document, error) {
	switch {
	case p.record == nil && p.near:
		return Document{}, altered("a record of type "+TypeWritten+" for "+p.name(), "another type in its place")
	case p.record == nil:
		return Document{}, fault.New(fault.UnknownCheckpoint, "a record that commits "+p.name(), "none in "+strconv.FormatUint(uint64(p.of.seen), 10)+" records")
	case p.gone:
		return Document{}, fault.New(fault.UnknownCheckpoint, p.name(), "a record that says it was pruned")
	}
	d, err := Verify(p.document, p.record, p.covered())
	if err != nil {
		return Document{}, err
	}
	if d.CheckpointID != p.id {
		return Document{}, altered("the document of "+p.name(), "that of "+fault.Clip([]byte(d.CheckpointID)))
	}
	return d, p.stands()
}

// covered is the chain up to through; of a log that ends before, up to its end.
func (p *Proof) covered() Chain {
	if p.chain.Seq() < p.through {
		return p.of.chain
	}
	return p.chain
}

// stands looks at what the log stamped on the record.
func (p *Proof) stands() error {
	own := stampOf(p.record)
	if p.prev.precedes(own) && (p.next.seq == 0 || own.precedes(p.next)) {
		return nil
	}
	return altered("a record whose seq and generation follow the one before it and precede the one behind it",
		"seq "+digits(own.seq)+" and generation "+fault.Clip([]byte(own.generation)))
}

func (p *Proof) name() string { return "checkpoint " + fault.Clip([]byte(p.id)) }
