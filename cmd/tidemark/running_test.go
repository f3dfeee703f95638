package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// paper is what a running command writes to.
type paper struct {
	mu    sync.Mutex
	text  bytes.Buffer
	wrote chan struct{} // holds a token after each write
}

func newPaper() *paper { return &paper{wrote: make(chan struct{}, 1)} }

func (p *paper) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case p.wrote <- struct{}{}:
	default:
	}
	return p.text.Write(b)
}

func (p *paper) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// await returns once the paper holds a text.
func (p *paper) await(text string) string {
	for !strings.Contains(p.String(), text) {
		<-p.wrote
	}
	return p.String()
}

// server is serve while it runs.
type server struct {
	t        *testing.T
	url      string // without the slash at its end
	out, err *paper
	stop     context.CancelFunc
	code     chan int
}

// start runs serve on a free port.
func start(t *testing.T, args ...string) *server {
	s := &server{t: t, out: newPaper(), err: newPaper(), code: make(chan int, 1)}
	var ctx context.Context
	ctx, s.stop = context.WithCancel(t.Context())
	args = append([]string{"--addr", "127.0.0.1:0"}, args...)
	go func() { s.code <- serveUntil(ctx, args, console{nil, s.out, s.err}) }()
	_, rest, _ := strings.Cut(s.out.await("/\n"), "http://")
	s.url = "http://" + rest[:strings.Index(rest, "/\n")]
	t.Cleanup(s.stop)
	return s
}

func (s *server) get(path string, header ...string) (*http.Response, string) {
	return s.ask(http.MethodGet, path, header...)
}

// ask sends a request as it is, follows nothing and unpacks nothing.
func (s *server) ask(method, path string, header ...string) (*http.Response, string) {
	response := s.open(method, path, header...)
	text, err := io.ReadAll(response.Body)
	require.NoError(s.t, err)
	return response, string(text)
}

func (s *server) open(method, path string, header ...string) *http.Response {
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, nil)
	require.NoError(s.t, err)
	for _, h := range header {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			request.Host = value
		}
		request.Header.Set(name, value)
	}
	transport := &http.Transport{DisableCompression: true, DisableKeepAlives: true}
	response, err := transport.RoundTrip(request)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = response.Body.Close() })
	return response
}
