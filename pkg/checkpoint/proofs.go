package checkpoint

import (
	"iter"
	"slices"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// Proofs prove many checkpoints of one log in one pass over it: the log is chained
// once, however many documents there are. The zero Proofs have none yet. Memory is
// that of the documents.
//
//	var all checkpoint.Proofs
//	p := all.Prove(id, document)                 // each of them, before the first record
//	for each record, first to last { all.Add(record) }
//	d, err := p.Result()
type Proofs struct {
	list   []*Proof
	wanted map[events.Seq][]*Proof // by the seq up to which they are covered
	sums   map[string][]*Proof     // by the digest of the document
	most   events.Seq              // the highest that is wanted
	chain  Chain                   // stops there
	seen   events.Seq
	before []byte   // the last record, as a copy
	open   []*Proof // that wait for the stamp behind their committing record
}

// Prove begins the proof of one more document. Call it before the first record.
func (s *Proofs) Prove(id string, document []byte) *Proof {
	p := &Proof{id: id, document: document, sum: []byte(SumOf(document).String()), named: true, of: s}
	if d, err := Parse(document); err == nil {
		p.through, p.named = d.ThroughSeq, d.CheckpointID == id
	}
	if s.wanted == nil {
		s.wanted, s.sums = map[events.Seq][]*Proof{}, map[string][]*Proof{}
	}
	s.list = append(s.list, p)
	s.wanted[p.through] = append(s.wanted[p.through], p)
	s.sums[string(p.sum)] = append(s.sums[string(p.sum)], p)
	s.most = max(s.most, p.through)
	return p
}

// Add takes the next record of the log, from the first one to the last. The record
// is not kept.
func (s *Proofs) Add(record []byte) {
	s.seen++
	if s.chain.Seq() < s.most {
		s.chain.Add(record)
		for _, p := range s.wanted[s.chain.Seq()] {
			p.chain = s.chain
		}
	}
	if len(s.open) > 0 {
		next := stampOf(record)
		for _, p := range s.open {
			p.next = next
		}
		if next.seq > 0 {
			s.open = s.open[:0]
		}
	}
	s.look(record)
	s.before = append(s.before[:0], record...)
}

// look sees which checkpoints a record speaks of.
func (s *Proofs) look(record []byte) {
	switch string(typeOf(record)) {
	case TypeWritten:
		w, err := ReadWritten(record)
		for _, p := range s.list {
			p.written(record, &w, err)
		}
	case TypePruned:
		ids := prunedIDs(record)
		for _, p := range s.list {
			p.gone = p.gone || slices.Contains(ids, p.id)
		}
	default:
		for sum := range sumsIn(record) {
			for _, p := range s.sums[string(sum)] {
				p.near = p.near || p.named && p.record == nil && wasWritten(record)
			}
		}
	}
}

// wasWritten reports whether a record of another type, or of none, is one that
// commits with a damaged byte. Whoever only speaks of a digest commits nothing.
func wasWritten(record []byte) bool {
	kind := typeOf(record)
	if kind == nil || resembles(string(kind), TypeWritten) {
		return true
	}
	problem, _ := rawjson.Check(record, events.MaxDepth)
	return problem != rawjson.OK
}

// sumsIn are all places of a record that read like a digest. One covers a byte whose
// number can be divided by its length, so most bytes are not looked at.
func sumsIn(record []byte) iter.Seq[[]byte] {
	const size = 2 * len(Sum{})
	return func(yield func([]byte) bool) {
		for at, done := 0, 0; at < len(record); at += size {
			if at < done || !rawjson.IsHex(record[at]) {
				continue
			}
			from, to := at, at+1
			for from > 0 && rawjson.IsHex(record[from-1]) {
				from--
			}
			for to < len(record) && rawjson.IsHex(record[to]) {
				to++
			}
			for done = to; from+size <= to; from++ {
				if !yield(record[from : from+size]) {
					return
				}
			}
		}
	}
}
