package client

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/link"
)

// address is where to connect so that each session starts where it should. A
// session without a cursor starts at the beginning, or for all of them now.
func (s *settings) address(asks []link.Ask) string {
	u := *s.url
	query := u.Query()
	for _, a := range asks {
		if a.Session != "" && a.Session != s.named {
			query.Add("session", a.Session)
		}
		switch a.Start {
		case link.FromCursor:
			query.Add("cursor", a.Cursor.Token(s.Profile.Base))
		case link.FromNow:
			query.Set("from", "now")
		}
	}
	u.RawQuery = query.Encode()
	return u.String()
}

// ask makes the request of a connection. Credentials is asked, too, unless it has
// just answered fresh ones.
func (s *settings) ask(ctx context.Context, r Request, fresh http.Header) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.URL, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set("Cache-Control", "no-store")
	put(request.Header, s.Header)
	put(request.Header, fresh)
	if s.Credentials != nil && fresh == nil {
		own, err := s.Credentials(ctx, r)
		if err != nil {
			return nil, denied{err}
		}
		put(request.Header, own)
	}
	return request, nil
}

func put(into, from http.Header) {
	for name, values := range from {
		into[http.CanonicalHeaderKey(name)] = values
	}
}

// denied is what Credentials could not do.
type denied struct{ error }

// mostBody is how much is read of an answer that is no stream, in bytes.
const mostBody = 64 << 10

// responseOf is what the link has to know of an answer. The body of one that is a
// stream is left to be read.
func responseOf(r *http.Response, now time.Time) link.Response {
	response := link.Response{Status: r.StatusCode, ContentType: r.Header.Get("Content-Type")}
	if r.StatusCode != http.StatusOK {
		response.RetryAfter = retryAfter(r.Header.Get("Retry-After"), now)
		response.Body, _ = io.ReadAll(io.LimitReader(r.Body, mostBody)) // one that breaks off has said what it said
	}
	return response
}

// retryAfter reads seconds or a date as a span from now, 0 when it is neither or
// over.
func retryAfter(value string, now time.Time) link.Millis {
	value = strings.TrimSpace(value)
	seconds, err := strconv.ParseUint(value, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return link.Millis(min(seconds, math.MaxInt32/1000) * 1000)
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return link.Millis(min(max(at.Sub(now).Milliseconds(), 0), math.MaxInt32))
}
