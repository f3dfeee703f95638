package durable

import (
	"context"
	"errors"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
)

// Listed are checkpoints of a turn, and those of which nobody can tell what they
// are. None of the latter hides one of the former.
type Listed struct {
	Entries    []checkpoint.Entry // oldest first
	Unreadable []Unreadable       // by id, in byte order
}

// Unreadable is a checkpoint whose document cannot be read.
type Unreadable struct {
	CheckpointID string
	Fault        *fault.Fault // BadDocument, with the reason
}

// ReadAll reads documents of a run for a list, in whatever order the ids come. One
// that is gone meanwhile is none. An error is of the whole list: a scope with a hole, or a
// context that is over.
func ReadAll(ctx context.Context, s Store, run listing.RunScope, ids []string) (l Listed, err error) {
	for _, id := range ids {
		entry, err := readOne(ctx, s, run, id)
		var f *fault.Fault
		switch {
		case err == nil:
			l.Entries = append(l.Entries, entry)
		case errors.Is(err, fault.UnknownCheckpoint):
		case errors.Is(err, fault.BadDocument) && errors.As(err, &f):
			l.Unreadable = append(l.Unreadable, Unreadable{id, f})
		default:
			return Listed{}, err
		}
	}
	checkpoint.Sort(l.Entries)
	return l, nil
}

func readOne(ctx context.Context, s Store, run listing.RunScope, id string) (checkpoint.Entry, error) {
	text, err := get(ctx, s, run, id)
	if err != nil {
		return checkpoint.Entry{}, err
	}
	d, err := checkpoint.Parse(text)
	if err == nil && d.CheckpointID != id {
		err = fault.New(fault.BadDocument, "the document of checkpoint "+fault.Clip([]byte(id)), "that of "+fault.Clip([]byte(d.CheckpointID)))
	}
	return d.Entry(), err
}

// get is a document of a store. What a store cannot read is a BadDocument, with the
// store's error in it, unless that is a fault itself or the caller has gone.
func get(ctx context.Context, s Store, run listing.RunScope, id string) ([]byte, error) {
	text, err := s.Get(ctx, run, id)
	var known *fault.Fault
	if err == nil || errors.As(err, &known) || ctx.Err() != nil {
		return text, err
	}
	f := fault.New(fault.BadDocument, "the document of checkpoint "+fault.Clip([]byte(id)), "an error")
	f.Session, f.Err = run.SessionID, err
	return nil, f
}
