package sse

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// Out is one block to write. The zero Out is an empty block, which dispatches
// nothing. What a field holds is not checked for being UTF-8.
type Out struct {
	// Comment is written before the fields, one comment line for each of its
	// lines; nil for none.
	Comment []byte

	// Event is the type; nil for none. No CR, LF or NUL.
	Event []byte

	// ID is written when it is not nil or HasID is set; empty resets the last id
	// of the reader. No CR, LF or NUL.
	ID    []byte
	HasID bool

	// Data is the message, one data line for each of its lines; nil for none, so
	// that the block dispatches nothing, empty for an empty message. A CR or CRLF
	// in it reaches the reader as LF, because the format cannot tell them apart.
	Data []byte

	// Retry is the reconnection time in milliseconds, 0 .. 2^53-1, written when
	// HasRetry is set.
	Retry    int64
	HasRetry bool
}

// AppendEvent appends the block with its closing blank line. What it accepts, a
// [Decoder] reads back the same, but for the line ends in Data; it never changes
// a value to make it fit. What a line cannot carry is refused with
// [fault.BadInput], and dst comes back as it was.
func AppendEvent(dst []byte, f Out) ([]byte, error) {
	if err := f.check(); err != nil {
		return dst, err
	}
	if f.Comment != nil {
		dst = appendLines(dst, ": ", f.Comment)
	}
	if f.Event != nil {
		dst = appendLine(dst, "event: ", f.Event)
	}
	if f.HasID || f.ID != nil {
		dst = appendLine(dst, "id: ", f.ID)
	}
	if f.HasRetry {
		dst = append(rawjson.AppendInt(append(dst, "retry: "...), f.Retry), '\n')
	}
	if f.Data != nil {
		dst = appendLines(dst, "data: ", f.Data)
	}
	return append(dst, '\n'), nil
}

// AppendComment appends a comment that belongs to no block: a sign of life.
func AppendComment(dst, text []byte) []byte {
	return append(appendLines(dst, ": ", text), '\n')
}

func (f *Out) check() error {
	switch {
	case hasBreak(f.Event):
		return fault.New(fault.BadInput, "an event type without CR, LF and NUL", "one that has some")
	case hasBreak(f.ID):
		return fault.New(fault.BadInput, "an id without CR, LF and NUL", "one that has some")
	case f.HasRetry && (f.Retry < 0 || f.Retry > maxRetry):
		return fault.New(fault.BadInput, "a retry of 0 to 9007199254740991 milliseconds", string(rawjson.AppendInt(nil, f.Retry)))
	}
	return nil
}

// hasBreak reports bytes that one field line cannot carry.
func hasBreak(value []byte) bool {
	return lineEnd(value, 0) < len(value) || rawjson.Holds(value, 0)
}

func appendLine(dst []byte, prefix string, value []byte) []byte {
	return append(append(append(dst, prefix...), value...), '\n')
}

// appendLines writes one line for each line of value; a line end at its end
// makes one more, empty line.
func appendLines(dst []byte, prefix string, value []byte) []byte {
	for {
		end := lineEnd(value, 0)
		dst = appendLine(dst, prefix, value[:end])
		if end == len(value) {
			return dst
		}
		if value[end] == '\r' && end+1 < len(value) && value[end+1] == '\n' {
			end++
		}
		value = value[end+1:]
	}
}
