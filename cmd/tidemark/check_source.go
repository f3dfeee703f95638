package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/check"
)

// recording is an open source.
type recording struct {
	body      io.Reader
	format    check.Format // that its content type says, Auto for none
	size      int64        // bytes to come, 0 when unknown
	read      int64        // bytes that came, as they are stored
	name      string
	close     func() error
	interrupt func() // makes a Read that waits come back
}

// trouble is why a source cannot be read.
type trouble struct{ cause, detail string }

// open opens a file, standard input or an address.
func (r *checkRun) open(ctx context.Context, source string) (*recording, *trouble) {
	switch {
	case source == "-":
		return r.openInput()
	case check.IsAddress(source):
		return openAddress(ctx, source)
	}
	return openFile(source)
}

func openFile(path string) (*recording, *trouble) {
	f, err := os.Open(path)
	if err != nil {
		return nil, causeOf(err)
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = syscall.EISDIR
	}
	if err != nil {
		f.Close()
		return nil, causeOf(err)
	}
	in := &recording{name: path, size: info.Size(), close: f.Close, interrupt: func() {}}
	return in.from(f)
}

func (r *checkRun) openInput() (*recording, *trouble) {
	in := &recording{name: displayName("-"), close: func() error { return nil }, interrupt: func() {}}
	if f, ok := r.in.(*os.File); ok {
		in.interrupt = func() { f.SetReadDeadline(time.Unix(1, 0)) }
	}
	return in.from(r.in)
}

func openAddress(ctx context.Context, address string) (*recording, *trouble) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, &trouble{check.CauseConnection, err.Error()}
	}
	request.Header.Set("Accept", "text/event-stream, application/x-ndjson, */*;q=0.5")
	answer, err := http.DefaultClient.Do(request)
	if ctx.Err() != nil && err != nil {
		return unanswered(address), nil
	}
	if err != nil {
		return nil, &trouble{check.CauseConnection, rootOf(err)}
	}
	if answer.StatusCode != http.StatusOK {
		answer.Body.Close()
		return nil, &trouble{check.CauseStatus, strconv.Itoa(answer.StatusCode)}
	}
	in := &recording{name: address, size: max(answer.ContentLength, 0), close: answer.Body.Close, interrupt: func() {}}
	in.format = check.FormatOfContent(answer.Header.Get("Content-Type"))
	return in.from(answer.Body)
}

// unanswered is what was read of a stream by whoever stopped before the server
// had answered: nothing. That is no failure of the connection.
func unanswered(address string) *recording {
	in := &recording{name: address, body: http.NoBody, close: http.NoBody.Close, interrupt: func() {}}
	in.format = check.FormatOfContent("text/event-stream")
	return in
}

// rootOf is the innermost cause: what is around it repeats the address.
func rootOf(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}

// from reads source, unpacked when it is gzip. An event stream is not looked at
// first: its first bytes may be long in coming.
func (in *recording) from(source io.Reader) (*recording, *trouble) {
	counted := io.TeeReader(source, (*counter)(&in.read))
	if in.format == check.SSE {
		in.body = counted
		return in, nil
	}
	peeked := bufio.NewReaderSize(counted, 256<<10)
	in.body = peeked
	if begin, _ := peeked.Peek(2); string(begin) != "\x1f\x8b" {
		return in, nil
	}
	unpacked, err := gzip.NewReader(peeked)
	if err != nil {
		in.close()
		return nil, causeOf(err)
	}
	in.body = unpacked
	return in, nil
}

// counter counts what is written to it.
type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// causes are the errors of the system that a report has its own words for.
var causes = []struct {
	err   error
	cause string
}{
	{fs.ErrNotExist, check.CauseNotFound},
	{fs.ErrPermission, check.CauseDenied},
	{syscall.EISDIR, check.CauseDirectory},
	{syscall.ECONNREFUSED, check.CauseConnection},
	{syscall.ECONNRESET, check.CauseConnection},
}

func causeOf(err error) *trouble {
	for _, c := range causes {
		if errors.Is(err, c.err) {
			return &trouble{cause: c.cause}
		}
	}
	return &trouble{check.CauseOther, rootOf(err)}
}
