package flaky

import (
	"context"
	"net/http"
	"time"
)

const eventStream = "text/event-stream"

// How a body stops before its stream is over.
func breaks(context.Context)     { panic(http.ErrAbortHandler) }
func ends(context.Context)       {}
func stalls(ctx context.Context) { <-ctx.Done() }

// send writes a stream, up to where it is to stop.
func send(w http.ResponseWriter, r *http.Request, stream []byte, f Fault, stop func(context.Context)) {
	w.WriteHeader(http.StatusOK)
	if stop != nil {
		stream = stream[:min(max(f.At, 0), len(stream))]
	}
	out := http.NewResponseController(w)
	size := max(len(stream), 1)
	if f.Drip {
		size = 1
	}
	for at := 0; at < len(stream) && r.Context().Err() == nil; at += size {
		if _, err := w.Write(stream[at : at+size]); err != nil || out.Flush() != nil {
			return
		}
		wait(r.Context(), f.Pause)
	}
	_ = out.Flush() // the status, when there was nothing else
	if stop != nil {
		stop(r.Context())
	}
}

func wait(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
