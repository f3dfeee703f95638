package flaky_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/internal/flaky"
	"github.com/tidemark-stream/tidemark/pkg/check"
	"github.com/tidemark-stream/tidemark/pkg/sse"
)

const all = "/v1/sessions/a/events?session=team:b&session=n%C3%A9e"

// got is one answer as it was read.
type got struct {
	status int
	header http.Header
	body   []byte
	broken bool
}

func ask(t *testing.T, handler http.Handler, path string, header ...string) got {
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://flaky"+path, nil)
	require.NoError(t, err)
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	return do(t, &http.Client{Transport: flaky.Transport(handler)}, request)
}

func do(t *testing.T, client *http.Client, request *http.Request) got {
	response, err := client.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return got{response.StatusCode, response.Header, body, err != nil}
}

// places are the ids of what a stream says, in order: "-" for a draft, "." for a
// comment, the name of a control frame with its session.
func places(t *testing.T, stream []byte) (all []string) {
	decoder := sse.NewDecoder(0)
	decoder.Feed(stream)
	var frame sse.Frame
	for decoder.Next(&frame) == sse.HaveFrame {
		var data struct{ SessionID string }
		_ = json.Unmarshal(frame.Data, &data)
		switch name, control := strings.CutPrefix(string(frame.Event), "tidemark."); {
		case control:
			all = append(all, name+" "+data.SessionID)
		case frame.HasID:
			all = append(all, string(frame.ID))
		default:
			all = append(all, "-")
		}
	}
	return all
}

// What is served is the recording, byte for byte, and a check finds nothing in it.
func TestTheRecordingIsServed(t *testing.T) {
	file, err := os.ReadFile("recording.sse")
	require.NoError(t, err)
	require.Equal(t, string(file), string(ask(t, flaky.New(flaky.Script{}), all).body))
	require.Equal(t, string(file), string(flaky.Stream("")))
	require.Equal(t, strings.ReplaceAll(string(file), "\n", "\r\n"), string(flaky.Stream("\r\n")))

	checker := check.New(check.Options{Name: "recording.sse"})
	for len(file) > 0 {
		file = file[checker.Write(file):]
		for f, ok := checker.Next(); ok; f, ok = checker.Next() {
			t.Error(f)
		}
	}
	checker.Close()
	for f, ok := checker.Next(); ok; f, ok = checker.Next() {
		t.Error(f)
	}
	require.Equal(t, []string{"a", "team:b", "née"}, flaky.Sessions())
	for session, records := range map[string]int{"a": 8, "team:b": 5, "née": 4} {
		require.Len(t, flaky.Records(session), records)
	}
}

// From every cursor the rest of the log comes, and nothing else.
func TestEveryCursorIsOwedTheRest(t *testing.T) {
	for _, session := range flaky.Sessions() {
		var tokens []string
		for _, e := range flaky.Records(session) {
			tokens = append(tokens, e.ID)
		}
		for n, token := range tokens {
			answer := ask(t, flaky.New(flaky.Script{}), "/v1/sessions/"+url.PathEscape(session)+"/events?cursor="+url.QueryEscape(token))
			records := slices.DeleteFunc(places(t, answer.body), func(p string) bool { return !strings.HasPrefix(p, session+":") })
			require.Equal(t, tokens[n+1:], append([]string{}, records...))
			require.Contains(t, string(answer.body), `"lastSeq":`+strconv.Itoa(len(tokens))+",")
		}
	}
}

func TestNow(t *testing.T) {
	answer := ask(t, flaky.New(flaky.Script{}), "/v1/sessions/team:b/events?from=now")
	require.Equal(t, []string{"head team:b", "live team:b", "team:b:4", "team:b:5", "end team:b"}, places(t, answer.body))
	require.Contains(t, string(answer.body), `"lastSeq":3,"oldestSeq":1,"verdict":"complete","from":4`)
}

// Each fault does what it says: to the records that are sent, or to the answer.
func TestWhatAFaultSends(t *testing.T) {
	const from = "/v1/sessions/team:b/events?"
	for name, c := range map[string]struct {
		query string
		want  []string
	}{
		"none":     {"", []string{"head", "1", "2", "-", "-", "3", "live", "4", "5", "end"}},
		"open":     {"fault=open", []string{"head", "1", "2", "-", "-", "3", "live", "4", "5"}},
		"drop":     {"fault=drop&record=team:b:2", []string{"head", "1", "-", "-", "3", "live", "4", "5", "end"}},
		"double":   {"fault=double&record=team:b:2", []string{"head", "1", "2", "2", "-", "-", "3", "live", "4", "5", "end"}},
		"swap":     {"fault=swap&record=team:b:2", []string{"head", "1", "3", "-", "-", "2", "live", "4", "5", "end"}},
		"short":    {"fault=short&record=team:b:2", []string{"head", "1", "-", "-", "live", "end"}},
		"mislabel": {"fault=mislabel&record=team:b:2", []string{"head", "1", "3", "-", "-", "3", "live", "4", "5", "end"}},
		"ignore":   {"fault=ignore&cursor=team:b:3", []string{"head", "1", "2", "-", "-", "3", "4", "5", "live", "end"}},
		"skip":     {"fault=skip&record=team:b:3", []string{"head", "live", "4", "5", "end"}},
		"takeover": {"fault=takeover&record=team:b:0&cursor=team:b:2@7", []string{"head", "refused"}},
		"lose":     {"fault=lose&record=team:b:1&cursor=team:b:2", []string{"head", "refused"}},
		"prune":    {"fault=prune&record=team:b:2", []string{"head", "refused"}},
	} {
		t.Run(name, func(t *testing.T) {
			answer := ask(t, flaky.New(flaky.Script{}), from+c.query)
			require.Equal(t, http.StatusOK, answer.status)
			require.False(t, answer.broken)
			for i, place := range places(t, answer.body) {
				require.Less(t, i, len(c.want), "more than %v: %s", c.want, place)
				if strings.HasPrefix(place, "team:b:") {
					c.want[i] = "team:b:" + c.want[i]
				} else if place != "-" {
					c.want[i] += " team:b"
				}
				require.Equal(t, c.want[i], place)
			}
			require.Len(t, places(t, answer.body), len(c.want))
		})
	}
}

func TestWhatAFaultWrites(t *testing.T) {
	answer := func(query string) string {
		return string(ask(t, flaky.New(flaky.Script{}), "/v1/sessions/a/events?"+query).body)
	}
	honest := answer("")
	require.Equal(t, 1, strings.Count(answer("fault=fence&record=a:3"), `"generation":8}`))
	require.NotContains(t, honest, `"generation":8`)
	require.Equal(t, 6, strings.Count(answer("fault=rewrite&record=a:3"), `"turnId":"another","was":`))
	garbled := answer("fault=garble&record=a:3")
	require.Less(t, len(garbled), len(honest))
	require.Contains(t, garbled, "id: a:3@7\n")
	require.Equal(t, strings.ReplaceAll(honest, "\n", "\r"), answer("eol=cr"))
}

func TestWhatAFaultAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		query       string
		status      int
		contentType string
		body        string
	}{
		"status":        {"fault=status&status=410&code=gap", 410, "application/problem+json", `{"status":410,"code":"gap"}`},
		"unavailable":   {"fault=status", 503, "application/problem+json", `{"status":503,"code":""}`},
		"html":          {"fault=html", 200, "text/html; charset=utf-8", "<!doctype html>"},
		"type":          {"fault=type", 200, "application/octet-stream", "event: tidemark.head"},
		"empty":         {"fault=empty", 200, "text/event-stream", ""},
		"auth":          {"fault=auth&token=t", 401, "application/problem+json", `"unauthorized"`},
		"redirect":      {"fault=redirect", 200, "text/event-stream", "event: tidemark.head"},
		"no such one":   {"fault=nonsense", 400, "text/plain; charset=utf-8", `no fault "nonsense"`},
		"no number":     {"fault=cut&at=x", 400, "text/plain; charset=utf-8", "at="},
		"below zero":    {"fault=cut&at=-1", 400, "text/plain; charset=utf-8", "at="},
		"no times":      {"fault=cut&times=x", 400, "text/plain; charset=utf-8", "times="},
		"no line end":   {"eol=x", 400, "text/plain; charset=utf-8", "eol="},
		"no cursor":     {"cursor=x", 400, "application/problem+json", "stream.invalid_cursor"},
		"another's":     {"cursor=née:1", 400, "application/problem+json", "stream.invalid_cursor"},
		"no session":    {"session=x", 404, "application/problem+json", "stream.unknown_session"},
		"not even once": {"fault=status&times=0", 200, "text/event-stream", ""},
	} {
		t.Run(name, func(t *testing.T) {
			answer := ask(t, flaky.New(flaky.Script{}), "/v1/sessions/a/events?"+c.query)
			require.Equal(t, c.status, answer.status)
			require.Equal(t, c.contentType, answer.header.Get("Content-Type"))
			require.Contains(t, string(answer.body), c.body)
			require.Equal(t, "*", answer.header.Get("Access-Control-Allow-Origin"))
		})
	}
	fine := ask(t, flaky.New(flaky.Script{}), "/v1/sessions/a/events?fault=auth&token=t", "Authorization", "Bearer t")
	require.Equal(t, http.StatusOK, fine.status)
}

func TestRetryAfter(t *testing.T) {
	answer := func(value string) string {
		server := flaky.New(flaky.Script{Faults: []flaky.Fault{{Kind: "status", Status: 429, RetryAfter: value}}})
		return ask(t, server, all).header.Get("Retry-After")
	}
	require.Equal(t, "7", answer("7"))
	at, err := http.ParseTime(answer("date:3600"))
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(time.Hour), at, time.Minute)
}

// A cut is exact, over a socket as without one.
func TestCut(t *testing.T) {
	stream := flaky.Stream("")
	for _, kind := range []string{"cut", "end"} {
		server := flaky.New(flaky.Script{})
		web := httptest.NewServer(server)
		defer web.Close()
		for at := 0; at <= len(stream); at += 401 {
			path := all + "&fault=" + kind + "&at=" + strconv.Itoa(at) + "&run=" + strconv.Itoa(at)
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, web.URL+path, nil)
			require.NoError(t, err)
			for _, answer := range []got{do(t, http.DefaultClient, request), ask(t, flaky.New(flaky.Script{}), path)} {
				require.Equal(t, string(stream[:at]), string(answer.body))
				require.Equal(t, kind == "cut", answer.broken)
			}
			require.Equal(t, string(stream), string(do(t, http.DefaultClient, request.Clone(t.Context())).body), "the second of a run is honest")
		}
	}
}

func TestReset(t *testing.T) {
	server := flaky.New(flaky.Script{Faults: []flaky.Fault{{Kind: "reset"}}})
	web := httptest.NewServer(server)
	defer web.Close()
	_, err := (&http.Client{Transport: flaky.Transport(server)}).Get("http://flaky" + all)
	require.Error(t, err)
	_, err = http.Get(web.URL + all + "&fault=reset&run=x")
	require.Error(t, err)
}

// A stalled connection stays open until somebody gives it up.
func TestStall(t *testing.T) {
	server := flaky.New(flaky.Script{Faults: []flaky.Fault{{Kind: "stall", At: 100}}})
	response, err := (&http.Client{Transport: flaky.Transport(server)}).Get("http://flaky" + all)
	require.NoError(t, err)
	begun := make([]byte, 100)
	_, err = io.ReadFull(response.Body, begun)
	require.NoError(t, err)
	require.True(t, bytes.HasPrefix(flaky.Stream(""), begun))
	require.NoError(t, response.Body.Close())
	_, err = response.Body.Read(begun)
	require.Error(t, err)
}

func TestDrip(t *testing.T) {
	answer := ask(t, flaky.New(flaky.Script{}), all+"&drip=1")
	require.Equal(t, string(flaky.Stream("")), string(answer.body))
}

// A run has faults of its own, and tells what was asked.
func TestRuns(t *testing.T) {
	server := flaky.New(flaky.Script{Faults: []flaky.Fault{{Kind: "html"}}, Always: true})
	for range 3 {
		require.Equal(t, "text/html; charset=utf-8", ask(t, server, all).header.Get("Content-Type"))
	}
	statuses := func(query string) (all []int) {
		for range 3 {
			all = append(all, ask(t, server, "/v1/sessions/a/events?cursor=a:3&"+query).status)
		}
		return all
	}
	require.Equal(t, []int{503, 503, 200}, statuses("run=x&fault=status&times=2"))
	require.Equal(t, []int{503, 503, 503}, statuses("run=y&fault=status&times=always"))
	require.Equal(t, []string{"cursor=a:3", "cursor=a:3", "cursor=a:3"}, server.Asked("x"))
	require.Equal(t, `["cursor=a:3","cursor=a:3","cursor=a:3"]`+"\n", string(ask(t, server, "/asked?run=y").body))
	require.Equal(t, "session=team:b session=née", server.Asked("")[0])
}

func TestTheTruth(t *testing.T) {
	var truth struct {
		Sessions []string
		Records  map[string][]string
		Bytes    int
	}
	require.NoError(t, json.Unmarshal(ask(t, flaky.New(flaky.Script{}), "/log?eol=crlf").body, &truth))
	require.Equal(t, flaky.Sessions(), truth.Sessions)
	require.Equal(t, len(flaky.Stream("\r\n")), truth.Bytes)
	for _, session := range truth.Sessions {
		for i, e := range flaky.Records(session) {
			require.Equal(t, string(e.Text), truth.Records[session][i])
		}
	}
	require.Equal(t, http.StatusBadRequest, ask(t, flaky.New(flaky.Script{}), "/log?eol=x").status)
	var kinds [][2]string
	require.NoError(t, json.Unmarshal(ask(t, flaky.New(flaky.Script{}), "/faults").body, &kinds))
	require.Equal(t, flaky.Kinds(), kinds)
}

func TestPreflight(t *testing.T) {
	w := httptest.NewRecorder()
	flaky.New(flaky.Script{}).ServeHTTP(w, httptest.NewRequest(http.MethodOptions, all, nil))
	require.Equal(t, http.StatusNoContent, w.Code)
	require.Contains(t, w.Header().Get("Access-Control-Allow-Headers"), "Authorization")
}
