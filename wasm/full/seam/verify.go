package seam

import (
	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// verifying is a checkpoint that is verified on the way.
type verifying struct {
	id                string
	document, written []byte
	begun             bool
	proof             *checkpoint.Proof // finds the record in the log
	chain             checkpoint.Chain  // when the record was given
	through           events.Seq
	err               error
}

func (v *verifying) add(record []byte) {
	v.begin()
	switch {
	case v.proof != nil:
		v.proof.Add(record)
	case v.chain.Seq() < v.through:
		v.chain.Add(record)
	}
}

// begin chooses the checkpoint: the one that was named, else that of the record,
// else that of the document.
func (v *verifying) begin() {
	if v.begun {
		return
	}
	v.begun = true
	d, err := checkpoint.Parse(v.document)
	v.through = d.ThroughSeq
	switch {
	case v.written != nil:
	case v.id != "":
		v.proof = checkpoint.Prove(v.id, v.document)
	case err == nil:
		v.proof = checkpoint.Prove(d.CheckpointID, v.document)
	default:
		v.err = err
	}
}

// result is the proven document, or why there is none.
func (v *verifying) result() (d checkpoint.Document, err error) {
	v.begin()
	switch {
	case v.err != nil:
		return d, v.err
	case v.proof != nil:
		return v.proof.Result()
	}
	d, err = checkpoint.Verify(v.document, v.written, v.chain)
	if err == nil && v.id != "" && v.id != d.CheckpointID {
		return d, fault.New(fault.ReceiptAltered, "the document of checkpoint "+fault.Clip([]byte(v.id)), "that of "+fault.Clip([]byte(d.CheckpointID)))
	}
	return d, err
}

// Proven is a checkpoint that holds.
type Proven struct {
	CheckpointID        string  `js:"checkpointId"`
	SessionID           string  `js:"sessionId"`
	TurnID              string  `js:"turnId"`
	Iteration           int64   `js:"iteration"`
	ThroughSeq          int64   `js:"throughSeq"`
	ThroughSHA256       string  `js:"throughSha256"`
	CreatedAt           int64   `js:"createdAt"`
	TurnCreatedAt       int64   `js:"turnCreatedAt"`
	LatestUserMessageID *string `js:"latestUserMessageId"`
}

// Verified is the checkpoint that a log was opened to verify, once that is read;
// or the fault that says what is altered.
func (m *Module) Verified(h int32) (*Proven, error) {
	r := m.logs[h]
	if r == nil || r.verify == nil {
		return nil, badHandle("log with a checkpoint to verify")
	}
	d, err := r.verify.result()
	if err != nil {
		return nil, err
	}
	return &Proven{
		d.CheckpointID, d.SessionID, d.TurnID, d.Iteration, int64(d.ThroughSeq), d.ThroughSHA256.String(),
		d.CreatedAt, d.TurnCreatedAt, known(d.LatestUserMessageID),
	}, nil
}
