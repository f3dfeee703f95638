package durable

import (
	"context"
	"strconv"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// reading is what is known of the log up to the last record that was read.
type reading struct {
	last   events.Seq     // of that record; 0 before the first
	mark   checkpoint.Sum // digest of that record, to know the log again
	chain  checkpoint.Chain
	gap    *fault.Fault // the first place where the records are not 1, 2, 3 …; nil while they are
	parks  park.Fold
	ledger checkpoint.Ledger
	turns  map[string]string   // turn of each park, by decision id
	moved  map[string]struct{} // turns whose parks are other ones than the store was told
	answer answer

	captured events.Seq       // where something was captured; 0 for nowhere
	there    checkpoint.Chain // up to that place, as the log has it now
}

// answer is a record of ours, and how its question stood right behind it.
type answer struct {
	decisionID string
	at         events.Seq
	park       *park.Park // nil until the record was read
}

// take reads the next record.
func (r *reading) take(record []byte) {
	seq := checkpoint.SeqOf(record)
	if seq != r.last+1 && r.gap == nil {
		r.gap = fault.New(fault.BadRecord, "the record with seq "+digits(r.last+1), "seq "+digits(seq))
	}
	r.last = seq
	if r.chain.Add(record); r.chain.Seq() == r.captured {
		r.there = r.chain
	}
	if e := r.parks.Add(record); e == park.Opened || e == park.Answered || e == park.TimedOut {
		r.moves(decisionOf(record))
	}
	r.ledger.Add(record)
	if a := &r.answer; a.at == seq {
		a.park = copyOf(r.parks.Find(a.decisionID))
	}
}

// moves notes the turn of a park that is new or settled, and that of the question
// it may have taken the place of.
func (r *reading) moves(decisionID string) {
	if r.turns == nil {
		r.turns = map[string]string{}
	}
	if r.moved == nil {
		r.moved = map[string]struct{}{}
	}
	if before, ok := r.turns[decisionID]; ok {
		r.moved[before] = struct{}{}
	}
	r.turns[decisionID] = r.parks.Find(decisionID).TurnID
	r.moved[r.turns[decisionID]] = struct{}{}
}

// anew is the reading of another log. What was told of the one before moved.
func (r *reading) anew() reading {
	again := reading{moved: map[string]struct{}{}, answer: r.answer, captured: r.captured}
	for _, turn := range r.turns {
		again.moved[turn] = struct{}{}
	}
	return again
}

// decisionOf is the id of a record that the fold has taken.
func decisionOf(record []byte) string {
	id, _ := rawjson.Text(rawjson.Value(record, "decisionId"))
	return id
}

// follow reads on from the last record. When that is no longer where it was, the
// log is another one, and is read from its beginning.
func (s *Session) follow(ctx context.Context) error {
	r := &s.reading
	if r.last > 0 {
		lines, _, err := s.o.Log.Records(ctx, r.last-1, 1)
		if err != nil {
			return err
		}
		if len(lines) == 0 || checkpoint.SumOf(lines[0]) != r.mark {
			*r = r.anew()
		}
	}
	var end []byte
	last, err := s.each(ctx, r.last, func(record []byte) {
		r.take(record)
		end = record
	})
	if end != nil && last == r.last {
		r.mark = checkpoint.SumOf(end)
	}
	if err != nil {
		return err
	}
	return s.passOn()
}

// each shows the records above since, in the order of the log, and answers the seq
// of the last one.
func (s *Session) each(ctx context.Context, since events.Seq, take func(record []byte)) (last events.Seq, err error) {
	for more := true; more; {
		var lines [][]byte
		if lines, more, err = s.o.Log.Records(ctx, since, 0); err != nil {
			return since, err
		}
		for _, record := range lines {
			take(record)
		}
		if len(lines) == 0 {
			break
		}
		next := checkpoint.SeqOf(lines[len(lines)-1])
		if next <= since { // it would be read for ever
			return since, s.of(fault.New(fault.BadRecord, "records with rising seqs", "seq "+digits(next)+" behind "+digits(since)))
		}
		since = next
	}
	return since, nil
}

func digits(seq events.Seq) string { return strconv.FormatUint(uint64(seq), 10) }
