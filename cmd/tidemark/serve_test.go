package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServeDemo(t *testing.T) {
	web := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(web, "index.html"), []byte("<p>hello"), 0o644))
	s := start(t, "--demo", "--seed", "7", "--speed", "50", "--web", web)
	_, body := s.get("/")
	require.Equal(t, "<p>hello", body)
	_, body = s.get("/healthz")
	require.Equal(t, "ok\n", body)
	_, body = s.get("/demo/session")
	var page struct{ ID, EventsURL, PlainURL string }
	require.NoError(t, json.Unmarshal([]byte(body), &page))
	require.Contains(t, s.out.String(), "curl -N "+s.url+page.EventsURL)
	require.Contains(t, s.out.String(), "seed 7, speed 50")

	for _, url := range []string{page.EventsURL, page.PlainURL} {
		stream := s.open("GET", url)
		require.Equal(t, "text/event-stream", stream.Header.Get("Content-Type"))
		lines := bufio.NewReader(stream.Body)
		for line := ""; !strings.HasPrefix(line, "id: "); {
			var err error
			line, err = lines.ReadString('\n')
			require.NoError(t, err)
		}
		defer func() {
			rest, err := io.ReadAll(lines)
			require.NoError(t, err, "a clean end of the body")
			require.True(t, bytes.HasSuffix(rest, []byte("\n\n")))
		}()
	}
	s.stop()
	require.Equal(t, exitOK, <-s.code)
}

// record is a line of a session log.
func record(session string, seq int) string {
	return fmt.Sprintf(`{"v":1,"type":"iteration_started","seq":%d,"gen":3,"ts":"2026-01-02T03:04:05.000Z","sessionId":%q,"turnId":"t1","iteration":%d}`+"\n", seq, session, seq)
}

func appendTo(t *testing.T, path, text string) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	require.NoError(t, err)
	_, err = f.WriteString(text)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

func TestServeLogsFollowsWhatIsWritten(t *testing.T) {
	dir := t.TempDir()
	appendTo(t, filepath.Join(dir, "ses_a.jsonl"), record("ses_a", 1)+record("ses_a", 2))
	s := start(t, "--logs", dir)
	require.Contains(t, s.out.await("session;"), "1 session;")
	_, body := s.get("/")
	require.Contains(t, body, "/v1/sessions/ses_a/events\n")

	stream := bufio.NewReader(s.open("GET", "/v1/sessions/ses_a/events").Body)
	next := func(line string) {
		for got := ""; got != line+"\n"; {
			var err error
			got, err = stream.ReadString('\n')
			require.NoError(t, err, "waiting for %s", line)
		}
	}
	next("id: ses_a:2@3")
	next("event: tidemark.live")
	half := record("ses_a", 3)
	appendTo(t, filepath.Join(dir, "ses_a.jsonl"), half[:20])
	appendTo(t, filepath.Join(dir, "ses_a.jsonl"), half[20:])
	next("id: ses_a:3@3")

	appendTo(t, filepath.Join(dir, "ses_b.jsonl"), record("ses_b", 1))
	_, body = s.get("/v1/sessions/ses_b/log")
	require.Contains(t, body, `"head":{"lastSeq":1,"generation":3,"oldestSeq":1}`)
	response, body := s.get("/v1/sessions/ses_c/events")
	require.Equal(t, http.StatusNotFound, response.StatusCode)
	require.Contains(t, body, `"code":"stream.unknown_session"`)
	response, _ = s.get("/demo/session")
	require.Equal(t, http.StatusNotFound, response.StatusCode)

	appendTo(t, filepath.Join(dir, "ses_d.jsonl"), record("ses_d", 1)+"no record\n"+record("ses_d", 2))
	response, body = s.get("/v1/sessions/ses_d/log")
	require.Equal(t, http.StatusInternalServerError, response.StatusCode)
	require.NotContains(t, body, dir, "where the server keeps its logs is its own business")
	require.Contains(t, s.err.await("ses_d.jsonl"), `session "ses_d"`)
	s.stop()
	require.Equal(t, exitOK, <-s.code)
}

// A folder of logs is read, not written: its questions are answered elsewhere, and
// nobody has said whose runs they are.
func TestServeLogsIsReadOnly(t *testing.T) {
	durableFolder(t)
	s := start(t, "--logs", "sessions")
	text, err := os.ReadFile(log1)
	require.NoError(t, err)
	_, body := s.get("/v1/sessions/s1/records")
	require.Equal(t, string(text), body)
	for path, want := range map[string]string{
		"/v1/sessions/s1/decisions/cp_3":    "501 durable.read_only",
		"/v1/sessions/other/decisions/cp_3": "404 stream.unknown_session",
	} {
		answer, err := http.Post(s.url+path, "application/json", strings.NewReader(`{"decision":{"action":"continue"},"seq":11,"generation":1}`))
		require.NoError(t, err)
		defer answer.Body.Close()
		var problem struct{ Code string }
		require.NoError(t, json.NewDecoder(answer.Body).Decode(&problem))
		require.Equal(t, want, fmt.Sprint(answer.StatusCode, " ", problem.Code))
	}
	response, body := s.get("/v1/runs?tenant=acme")
	require.Equal(t, http.StatusNotImplemented, response.StatusCode)
	require.Contains(t, body, `"code":"durable.cannot_list"`)
	unchanged, err := os.ReadFile(log1)
	require.NoError(t, err)
	require.Equal(t, string(text), string(unchanged))
}

func TestServeIsToldNonsense(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for _, c := range []struct {
		args string
		says string
	}{
		{"", "one of --demo and --logs"},
		{"--demo --logs .", "one of --demo and --logs"},
		{"--demo now", "no arguments"},
		{"--dmeo", "-dmeo"},
		{"--demo --speed 0", "--speed is from"},
		{"--demo --addr 8080", "host:port"},
		{"--demo --addr 127.0.0.1:99999", "99999"},
		{"--demo --addr 203.0.113.1:0", "203.0.113.1"},
		{"--demo --allow-origin app.example", "scheme://host"},
		{"--demo --web " + file + "/none", "--web " + file},
		{"--logs " + file, "is a file"},
		{"--logs " + file + "-not", "there is no such folder"},
	} {
		code, out, errs := invoke(append([]string{"serve"}, strings.Fields(c.args)...)...)
		assert.Equal(t, exitUsage, code, c.args)
		assert.Empty(t, out, c.args)
		assert.Contains(t, errs, c.says, c.args)
	}
}

func TestATakenPortIsSaid(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	l, note, err := listen(taken.Addr().String())
	require.NoError(t, err)
	defer l.Close()
	require.Contains(t, note, taken.Addr().String()+" is taken, so this is on port ")
	require.NotEqual(t, taken.Addr().String(), l.Addr().String())
}

func TestURLs(t *testing.T) {
	for addr, want := range map[string]string{
		"127.0.0.1:80": "http://127.0.0.1:80/", "0.0.0.0:8080": "http://localhost:8080/",
		"[::]:8080": "http://localhost:8080/", "[::1]:8080": "http://[::1]:8080/",
	} {
		a, err := net.ResolveTCPAddr("tcp", addr)
		require.NoError(t, err)
		require.Equal(t, want, urlOf(a))
	}
}

func TestSignalsEndItInGoodOrder(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		out, errs, code := newPaper(), newPaper(), make(chan int, 1)
		go func() {
			code <- run([]string{"serve", "--demo", "--addr", "127.0.0.1:0"}, console{nil, out, errs})
		}()
		out.await("curl")
		require.NoError(t, syscall.Kill(os.Getpid(), signal))
		require.Equal(t, exitOK, <-code)
	}
}

func TestOnlyNamesOfThisMachine(t *testing.T) {
	s := start(t, "--demo")
	for host, status := range map[string]int{
		"localhost": 200, "localhost:8080": 200, "app.localhost:1": 200, "127.0.0.1": 200, "[::1]:80": 200,
		"evil.example": 421, "127.0.0.1.evil.example": 421, "localhost.evil.example:8080": 421, "192.168.0.7": 421,
	} {
		response, _ := s.get("/healthz", "Host: "+host)
		assert.Equal(t, status, response.StatusCode, host)
	}
	require.Contains(t, s.err.await(" 421 "), "GET /healthz 421 ")
}

func TestOriginsAreOffUntilNamed(t *testing.T) {
	const app, other = "Origin: https://app.example", "Origin: https://other.example"
	s := start(t, "--demo")
	response, _ := s.get("/demo/session", app)
	require.Empty(t, response.Header.Get("Access-Control-Allow-Origin"))

	s = start(t, "--demo", "--allow-origin", "https://app.example")
	for _, path := range []string{"/demo/session", "/v1/sessions/none/log", "/plain/sessions/none/events"} {
		response, _ = s.get(path, app)
		require.Equal(t, []string{"https://app.example"}, response.Header.Values("Access-Control-Allow-Origin"), path)
		response, _ = s.get(path, other)
		require.Empty(t, response.Header.Get("Access-Control-Allow-Origin"), path)
		require.Contains(t, response.Header.Get("Vary"), "Origin")
	}
	response, _ = s.ask("OPTIONS", "/demo/sessions/x/faults", app, "Access-Control-Request-Method: POST")
	require.Equal(t, http.StatusNoContent, response.StatusCode)
	require.Equal(t, "GET, POST", response.Header.Get("Access-Control-Allow-Methods"))

	s = start(t, "--demo", "--allow-origin", "*")
	response, _ = s.get("/demo/session", other)
	require.Equal(t, "https://other.example", response.Header.Get("Access-Control-Allow-Origin"))
}

func TestEachAnswerHasALine(t *testing.T) {
	s := start(t, "--demo", "--quiet")
	s.get("/healthz")
	s.stop()
	require.Equal(t, exitOK, <-s.code)
	require.Empty(t, s.err.String())

	s = start(t, "--demo", "--speed", "50")
	s.get("/nothing?a=b")
	s.err.await("GET /nothing?a=b 404 ")
	_, body := s.get("/demo/session")
	var page struct{ EventsURL, FaultsURL string }
	require.NoError(t, json.Unmarshal([]byte(body), &page))
	stream := s.open("GET", page.EventsURL)
	response, err := http.Post(s.url+page.FaultsURL, "application/json", strings.NewReader(`{"fault":"cut"}`))
	require.NoError(t, err)
	defer response.Body.Close()
	_, err = io.ReadAll(stream.Body)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	s.err.await("GET " + page.EventsURL + " 200 cut ")
}

func TestStaticFiles(t *testing.T) {
	web := t.TempDir()
	outside := filepath.Join(t.TempDir(), "outside.txt")
	require.NoError(t, os.WriteFile(outside, []byte("secret"), 0o644))
	require.NoError(t, os.Symlink(outside, filepath.Join(web, "link.txt")))
	for name, text := range map[string]string{
		"index.html": "home", "app.mjs": "js", "app.mjs.br": "js br", "app.mjs.gz": "js gz", "t.wasm": "wasm", "t.wasm.gz": "wasm gz",
		"sub/index.html": "sub", "bare/x.css": "css", ".env": "secret", "sub/.git/config": "secret", "odd.xyz": "odd",
	} {
		path := filepath.Join(web, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	s := start(t, "--demo", "--web", web)
	for _, c := range []struct {
		path, accept string
		status       int
		kind, coding string
		body         string
	}{
		{"/", "", 200, "text/html; charset=utf-8", "", "home"},
		{"/index.html", "", 200, "text/html; charset=utf-8", "", "home"},
		{"/app.mjs", "", 200, "text/javascript; charset=utf-8", "", "js"},
		{"/app.mjs", "gzip, br", 200, "text/javascript; charset=utf-8", "br", "js br"},
		{"/app.mjs", "br;q=0, gzip;q=0.5", 200, "text/javascript; charset=utf-8", "gzip", "js gz"},
		{"/app.mjs", "br;q=x, deflate", 200, "text/javascript; charset=utf-8", "", "js"},
		{"/t.wasm", "br, gzip", 200, "application/wasm", "gzip", "wasm gz"},
		{"/t.wasm", "", 200, "application/wasm", "", "wasm"},
		{"/odd.xyz", "", 200, "application/octet-stream", "", "odd"},
		{"/sub/", "", 200, "text/html; charset=utf-8", "", "sub"},
		{"/sub", "", 301, "", "", ""},
		{"/bare/", "", 404, "", "", ""},
		{"/none", "", 404, "", "", ""},
		{"/.env", "", 404, "", "", ""},
		{"/sub/.git/config", "", 404, "", "", ""},
		{"/link.txt", "", 404, "", "", ""},
		{"/%2e%2e/outside.txt", "", 404, "", "", ""},
		{"/sub/%2e%2e%2f.env", "", 404, "", "", ""},
		{"/index.html%00", "", 404, "", "", ""},
	} {
		var header []string
		if c.accept != "" {
			header = []string{"Accept-Encoding: " + c.accept}
		}
		response, body := s.get(c.path, header...)
		require.Equal(t, c.status, response.StatusCode, c)
		require.NotContains(t, body, "secret")
		if c.status == 200 {
			require.Equal(t, c.body, body, c)
			require.Equal(t, c.kind, response.Header.Get("Content-Type"), c)
			require.Equal(t, c.coding, response.Header.Get("Content-Encoding"), c)
			require.Equal(t, "Accept-Encoding", response.Header.Get("Vary"))
			again, _ := s.get(c.path, append(header, "If-None-Match: "+response.Header.Get("ETag"))...)
			require.Equal(t, http.StatusNotModified, again.StatusCode, c)
		}
	}
	response, _ := s.ask("POST", "/")
	require.Equal(t, http.StatusMethodNotAllowed, response.StatusCode)
	response, body := s.ask("HEAD", "/app.mjs")
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.Empty(t, body)
}
