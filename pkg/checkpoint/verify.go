package checkpoint

import (
	"cmp"
	"strconv"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Verify proves a document by the record that commits it and by the chain over the
// log up to the document's ThroughSeq. What fails is named apart, and
// looked at in this order:
//
//   - fault.ReceiptAltered: the record cannot be read, or its digest is a damaged
//     one of this very document
//   - fault.DocumentAltered: the document's digest is not the recorded one
//   - fault.BadDocument: it is the committed text, and no document
//   - fault.ReceiptAltered: record and document say different things
//   - fault.PrefixAltered: the chain ends in another sum, or stands elsewhere
//
// record is the line of the log. A chain that stands at another seq proves nothing.
func Verify(document, record []byte, at Chain) (Document, error) {
	w, err := ReadWritten(record)
	if err != nil {
		return Document{}, err
	}
	if err := sameDigest(SumOf(document), w.SHA256); err != nil {
		return Document{}, err
	}
	d, err := Parse(document)
	if err != nil {
		return Document{}, err
	}
	if err := sameCommit(&d, &w); err != nil {
		return Document{}, err
	}
	return d, sameChain(&d, at)
}

// sameDigest compares the digest of a document with the recorded one. A changed
// document changes about every digit of it. When at least half of the digits agree
// it is the record that was damaged: by chance that happens once in 10^20.
func sameDigest(is, recorded Sum) error {
	if is == recorded {
		return nil
	}
	have, want := is.String(), recorded.String()
	agree := 0
	for i := range have {
		if have[i] == want[i] {
			agree++
		}
	}
	if 2*agree >= len(have) {
		return altered("sha256 "+have, want)
	}
	return fault.New(fault.DocumentAltered, "a document with the digest "+want, have)
}

// sameCommit compares what a document, which is known to be the committed one, and
// the record of its commit both say.
func sameCommit(d *Document, w *Written) error {
	for _, c := range [...]struct{ name, want, found string }{
		{"checkpointId", d.CheckpointID, w.CheckpointID},
		{"turnId", d.TurnID, w.TurnID},
		{"sessionId", d.SessionID, cmp.Or(w.SessionID, d.SessionID)},
		{"throughSeq", digits(d.ThroughSeq), digits(w.ThroughSeq)},
		{"throughSha256", d.ThroughSHA256.String(), w.ThroughSHA256.String()},
	} {
		if c.want != c.found {
			return altered(c.name+" "+fault.Clip([]byte(c.want)), fault.Clip([]byte(c.found)))
		}
	}
	if w.Seq <= d.ThroughSeq {
		return altered("a record behind seq "+digits(d.ThroughSeq), "seq "+digits(w.Seq))
	}
	return nil
}

func sameChain(d *Document, at Chain) error {
	switch {
	case at.Seq() != d.ThroughSeq:
		return fault.New(fault.PrefixAltered, "a log with records up to seq "+digits(d.ThroughSeq), "records up to "+digits(at.Seq()))
	case at.Sum() != d.ThroughSHA256:
		return fault.New(fault.PrefixAltered, "the digest "+d.ThroughSHA256.String()+" at seq "+digits(d.ThroughSeq), at.Sum().String())
	}
	return nil
}

func digits(seq events.Seq) string { return strconv.FormatUint(uint64(seq), 10) }
