package edge

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/ask"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/relay"
)

// request is what the server is asked: the same, for an event stream as it comes.
func (h *Handler) request(ctx context.Context, r *http.Request) (*http.Request, error) {
	to, err := h.address(r.URL)
	if err != nil {
		return nil, err
	}
	asked := &http.Request{
		Method: r.Method, URL: to, Host: to.Host, Header: without(r.Header, relay.NotAsked),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
	asked.Header.Set("Accept", "text/event-stream")
	asked.Header.Set("Accept-Encoding", "identity")
	return asked.WithContext(ctx), nil
}

// address is where the server answers what was asked here, escaped as it was.
func (h *Handler) address(asked *url.URL) (*url.URL, error) {
	to := *h.upstream
	escaped := strings.TrimSuffix(to.EscapedPath(), "/") + asked.EscapedPath()
	path, err := url.PathUnescape(escaped)
	to.Path, to.RawPath, to.RawQuery = path, escaped, asked.RawQuery
	return &to, err
}

// upwards refuses a path with "..": appended to the path of the server it could lead
// out of that. Some servers part a path at backslashes, too.
func upwards(u *url.URL) *fault.Fault {
	if slices.Contains(strings.Split(strings.ReplaceAll(u.Path, `\`, "/"), "/"), "..") {
		return fault.New(fault.InvalidOptions, `a path without ".."`, "one with it")
	}
	return nil
}

// without are the headers but those of one connection and these.
func without(header http.Header, names []string) http.Header {
	out := header.Clone()
	for _, name := range slices.Concat(relay.HopByHop, connection(header), names) {
		out.Del(name)
	}
	return out
}

// connection are the headers that the sender names as those of the connection alone.
func connection(header http.Header) (names []string) {
	for _, value := range header["Connection"] {
		for name := range strings.SplitSeq(value, ",") {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}

// query is what a request asks for, read as the server reads it.
func query(r *http.Request) (*ask.Query, *fault.Fault) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, fault.New(fault.InvalidOptions, "a query that can be read", "one with a broken escape or a semicolon")
	}
	var sessions []string
	if session, ok := sessionOf(r.URL); ok {
		sessions = append(sessions, session)
	}
	for _, session := range values["session"] {
		if !slices.Contains(sessions, session) {
			sessions = append(sessions, session)
		}
	}
	return &ask.Query{Sessions: sessions, Cursors: values["cursor"], From: values["from"], LastEventID: r.Header.Get("Last-Event-ID")}, nil
}

// sessionOf is the session in a path that ends as R-140 has it: sessions/{id}/events.
// Of another path the query says which sessions are meant, or the server.
func sessionOf(u *url.URL) (string, bool) {
	parts := strings.Split(strings.TrimSuffix(u.EscapedPath(), "/"), "/")
	n := len(parts)
	if n < 3 || parts[n-1] != "events" || parts[n-3] != "sessions" {
		return "", false
	}
	session, err := url.PathUnescape(parts[n-2])
	return session, err == nil && session != ""
}
