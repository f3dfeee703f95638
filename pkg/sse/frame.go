package sse

// Frame is one dispatched block of the stream.
//
// Its slices alias memory of the decoder: they are valid until the next
// [Decoder.Reserve], [Decoder.Feed] or [Decoder.Reset], over any number of
// further calls of [Decoder.Next]. Data always lies in the decoder's buffer;
// the data of successive frames lies there in ascending order.
type Frame struct {
	// Event is the value of the last event field; nil when the block had none.
	// Empty means the same type as nil, see [Frame.Type].
	Event []byte

	// Data is the values of all data fields, joined by LF. Never nil, and empty
	// when the block held one data field without a value.
	Data []byte

	// ID is the value of the last valid id field of this block; nil when it had
	// none, empty and not nil when it resets the last id.
	ID    []byte
	HasID bool

	// Retry is the last valid retry field of this block in milliseconds. It has
	// no meaning unless HasRetry.
	Retry    int64
	HasRetry bool

	// Start is the offset of the block's first field line in the stream, End the
	// offset behind the first byte of the line end that closed the block (so the
	// LF of a closing CRLF is in no frame). Both count from the first byte of the
	// connection, a byte order mark included.
	Start, End int64
}

var typeMessage = []byte("message")

// Type is the type to dispatch: the event field, or "message" when there is
// none or it is empty. The caller must not write to it.
func (f *Frame) Type() []byte {
	if len(f.Event) == 0 {
		return typeMessage
	}
	return f.Event
}

// Status is the answer of [Decoder.Next].
type Status uint8

const (
	NeedData  Status = iota // everything fed so far was used; feed more
	HaveFrame               // a frame was stored
	Failed                  // a frame is beyond the limit; final until Reset
)
