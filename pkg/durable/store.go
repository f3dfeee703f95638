package durable

import (
	"context"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
)

// Store keeps checkpoint documents by run and id. In the session model a run is a
// turn. Its methods may be called by several goroutines at once.
//
// A run that skips a level is refused with fault.ScopeHole. ParentRunID is no part
// of what tells runs apart, but a store may need it to find one: hand over the
// same scope as when the document was put.
type Store interface {
	// Put keeps a document under its id, whole or not at all, and answers its
	// receipt once it is kept. The same id again overwrites. A text that is no
	// document is refused with fault.BadDocument, one of another id with
	// fault.BadInput. The document is copied.
	Put(ctx context.Context, run listing.RunScope, id string, document []byte) (checkpoint.Receipt, error)

	// Get answers a document, byte for byte as it was put; fault.UnknownCheckpoint
	// when there is none. Nothing is checked: that is what a proof is for.
	Get(ctx context.Context, run listing.RunScope, id string) ([]byte, error)

	// IDs answers the ids of a run's documents in byte order; none for a run that
	// is not there.
	IDs(ctx context.Context, run listing.RunScope) ([]string, error)

	// Delete removes a document. One that is not there is no error.
	Delete(ctx context.Context, run listing.RunScope, id string) error
}

// CheckPut is what every store checks before it keeps a document, and the receipt
// of it.
func CheckPut(run listing.RunScope, id string, document []byte) (checkpoint.Receipt, error) {
	if err := run.Check(); err != nil {
		return checkpoint.Receipt{}, err
	}
	receipt, err := checkpoint.ReceiptOf(document)
	if err == nil && receipt.CheckpointID != id {
		err = fault.New(fault.BadInput, "the document of checkpoint "+fault.Clip([]byte(id)), "that of "+fault.Clip([]byte(receipt.CheckpointID)))
	}
	if err != nil {
		return checkpoint.Receipt{}, err
	}
	return receipt, nil
}

// Unknown is what a store answers for a document that it does not have: the fault,
// and in it a coded error whose details name it.
func Unknown(run listing.RunScope, id string) error {
	f := fault.New(fault.UnknownCheckpoint, "checkpoint "+fault.Clip([]byte(id))+" of turn "+fault.Clip([]byte(run.RunID)), "none")
	f.Session = run.SessionID
	f.Err = fault.Coded(fault.CodeNotFound, "no such checkpoint").WithDetails(
		fault.Details("").Set("checkpointId", id).Set("sessionId", run.SessionID).Set("turnId", run.RunID))
	return f
}

// noStore stands for a store where none was given.
type noStore struct{}

func (noStore) fault() error {
	return fault.New(fault.BadInput, "a session with a store for checkpoints", "one without")
}

func (n noStore) Put(context.Context, listing.RunScope, string, []byte) (checkpoint.Receipt, error) {
	return checkpoint.Receipt{}, n.fault()
}

func (n noStore) Get(context.Context, listing.RunScope, string) ([]byte, error) {
	return nil, n.fault()
}

func (n noStore) IDs(context.Context, listing.RunScope) ([]string, error) { return nil, n.fault() }

func (n noStore) Delete(context.Context, listing.RunScope, string) error { return n.fault() }
