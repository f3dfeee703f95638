package demo

import (
	"bytes"
	"errors"
	"net/http"
	"sync"
)

// breakable is the way out of one stream. Once it is told to tear, the next frame
// of a record is written by half, and nothing follows.
type breakable struct {
	http.ResponseWriter
	broke func() // told when it is torn

	mu      sync.Mutex
	tearing bool
	torn    bool
}

var errTorn = errors.New("demo: the connection was cut on request")

// Write passes whole frames on.
func (b *breakable) Write(frames []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.torn {
		return 0, errTorn
	}
	at := -1
	if b.tearing {
		at = tear(frames)
	}
	if at < 0 {
		return b.ResponseWriter.Write(frames)
	}
	b.torn = true
	defer b.broke()
	if _, err := b.ResponseWriter.Write(frames[:at]); err != nil {
		return 0, err
	}
	if err := http.NewResponseController(b.ResponseWriter).Flush(); err != nil {
		return 0, err
	}
	return 0, errTorn
}

// FlushError sends what was written.
func (b *breakable) FlushError() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.torn {
		return errTorn
	}
	return http.NewResponseController(b.ResponseWriter).Flush()
}

// Unwrap lets deadlines through.
func (b *breakable) Unwrap() http.ResponseWriter { return b.ResponseWriter }

// arm makes the next record the last one.
func (b *breakable) arm() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tearing = true
}

// isTorn reports whether the stream may not end in good order: it was torn, or
// was to be and nothing was written any more.
func (b *breakable) isTorn() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.tearing
}

// tear is the middle of the first frame that has an id, -1 when none has.
func tear(frames []byte) int {
	at := 0
	for frame := range bytes.SplitSeq(frames, []byte("\n\n")) {
		if bytes.HasPrefix(frame, []byte("id: ")) {
			return at + len(frame)/2
		}
		at += len(frame) + 2
	}
	return -1
}

// kept is an answer that is not sent before it is whole.
type kept struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header is that of the real answer.
func (k *kept) Header() http.Header { return k.header }

// WriteHeader keeps the status.
func (k *kept) WriteHeader(status int) { k.status = status }

// Write keeps a part of the body.
func (k *kept) Write(part []byte) (int, error) { return k.body.Write(part) }

// FlushError keeps what was written: nothing is sent before the answer is whole.
func (k *kept) FlushError() error { return nil }

func (k *kept) send(w http.ResponseWriter) {
	if k.status != 0 {
		w.WriteHeader(k.status)
	}
	_, _ = w.Write(k.body.Bytes()) // the client may be gone; nothing follows
}
