package checkpoint

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Proof proves one checkpoint in one pass over its log: it chains the covered
// part, finds the record that commits the document, and looks at how that record
// stands between its neighbours. Its memory does not grow with the log.
//
//	p := checkpoint.Prove(id, document)
//	for each record, first to last { p.Add(record) }
//	d, err := p.Result()
type Proof struct {
	id       string
	document []byte
	sum      []byte // digest of the document, as it is written
	through  events.Seq

	chain  Chain // stops at through
	seen   events.Seq
	before []byte // the last record, as a copy
	record []byte // the one that commits; nil until it comes
	prev   stamp  // of the record before it
	next   stamp  // of the record behind it
	near   bool   // no record commits the id, but one speaks of this document
	gone   bool   // a later record says that it was pruned
}

// Prove begins the proof of a document. The document may be damaged: the result
// says so.
func Prove(id string, document []byte) *Proof {
	p := &Proof{id: id, document: document, sum: []byte(SumOf(document).String())}
	if d, err := Parse(document); err == nil {
		p.through = d.ThroughSeq
	}
	return p
}

// Through is the last seq that the document says it covers; 0 when the document
// cannot be read.
func (p *Proof) Through() events.Seq { return p.through }

// Add takes the next record of the log, from the first one to the last. The record
// is not kept.
func (p *Proof) Add(record []byte) {
	if p.seen++; p.chain.Seq() < p.through {
		p.chain.Add(record)
	}
	if p.record != nil && p.next.seq == 0 {
		p.next = stampOf(record)
	}
	p.look(record)
	p.before = append(p.before[:0], record...)
}

// look sees whether a record speaks of the checkpoint.
func (p *Proof) look(record []byte) {
	switch string(typeOf(record)) {
	case TypeWritten:
		w, err := ReadWritten(record)
		if exact := err == nil && w.CheckpointID == p.id; exact || p.mentions(record) {
			p.take(record)
			p.gone = p.gone && !exact
		}
	case TypePruned:
		p.gone = p.gone || slices.Contains(prunedIDs(record), p.id)
	default:
		p.near = p.near || p.record == nil && bytes.Contains(record, p.sum)
	}
}

// take keeps a record as the one that commits.
func (p *Proof) take(record []byte) {
	p.record, p.prev, p.next = bytes.Clone(record), stamp{}, stamp{}
	if p.seen > 1 {
		p.prev = stampOf(p.before)
	}
}

// mentions reports whether a committing record is about this document although it
// does not name its id, or cannot be read.
func (p *Proof) mentions(record []byte) bool {
	return p.record == nil && (bytes.Contains(record, p.sum) || bytes.Contains(record, quoted(p.id)))
}

// Result is the proven document, or the first thing that is wrong: the faults of
// [Verify], and before them fault.UnknownCheckpoint when nothing commits the
// document or it was pruned.
func (p *Proof) Result() (Document, error) {
	switch {
	case p.record == nil && p.near:
		return Document{}, altered("a record of type "+TypeWritten+" for "+p.name(), "another type in its place")
	case p.record == nil:
		return Document{}, fault.New(fault.UnknownCheckpoint, "a record that commits "+p.name(), "none in "+strconv.FormatUint(uint64(p.seen), 10)+" records")
	case p.gone:
		return Document{}, fault.New(fault.UnknownCheckpoint, p.name(), "a record that says it was pruned")
	}
	d, err := Verify(p.document, p.record, p.chain)
	if err != nil {
		return Document{}, err
	}
	if d.CheckpointID != p.id {
		return Document{}, altered("the document of "+p.name(), "that of "+fault.Clip([]byte(d.CheckpointID)))
	}
	return d, p.stands()
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
