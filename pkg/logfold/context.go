package logfold

import (
	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// converse hands a record to the context, as long as that waits for one.
func (f *Fold) converse(text []byte, seq events.Seq) {
	if f.err == nil {
		f.err = f.context.Add(text)
	}
	if seq >= f.through {
		f.through = 0
	}
}

// settle says that a context still waits at the end of the log.
func (f *Fold) settle() {
	if f.through > 0 && f.err == nil {
		f.err = fault.New(fault.LogTooShort, "seq "+digits(f.through), "the log's end at "+digits(f.last))
	}
}

// Messages is the context up to Options.Through; spill reads a body that
// lies apart, as checkpoint.Context says, and may be nil. There is none, and the
// fault says why, when the log up to there has anything among its [Finding]s, or
// ends before.
func (f *Fold) Messages(spill func(ref []byte) ([]byte, error)) ([]checkpoint.Message, error) {
	if err := f.noContext(); err != nil {
		return nil, err
	}
	f.context.Spill = spill
	return f.context.Messages()
}

// Intent is the newest body of Options.Watch, as checkpoint.Context says.
func (f *Fold) Intent(spill func(ref []byte) ([]byte, error)) ([]byte, error) {
	if err := f.noContext(); err != nil {
		return nil, err
	}
	f.context.Spill = spill
	return f.context.Intent()
}

func (f *Fold) noContext() error {
	switch {
	case f.err != nil:
		return f.err
	case f.Through == 0:
		return fault.New(fault.BadInput, "a fold that was asked for a context", "one that was not")
	case f.through > 0:
		return fault.New(fault.BadInput, "a log that was read up to seq "+digits(f.through), "one that was read up to seq "+digits(f.last))
	}
	return nil
}
