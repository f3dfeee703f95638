package serve_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/park"
	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/disk"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

// A folder of logs is served; what its writer appends comes out of the other end.
func Example() {
	folder, err := os.MkdirTemp("", "logs")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	store, err := disk.New(folder, disk.Options{Now: func() time.Time { return time.UnixMilli(0) }})
	if err != nil {
		panic(err)
	}
	defer store.Close()

	mux := http.NewServeMux()
	mux.Handle("/v1/", serve.New(store, serve.Options{
		Authorize: func(r *http.Request, session string) int { return 0 }, // or 401, 403, 404
		OnError:   func(session string, err error) { log.Println(session, err) },
	}))
	server := httptest.NewServer(mux)
	defer server.Close()

	ctx := context.Background()
	session, err := store.Create(ctx, "s1") // Open for one that is there
	if err != nil {
		panic(err)
	}
	if _, err = session.Append(ctx, "", []byte(`{"type":"turn_started","turnId":"t1"}`)); err != nil {
		panic(err)
	}

	response, err := http.Get(server.URL + "/v1/sessions/s1/log")
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	fmt.Print(string(body))
	// Output: {"head":{"lastSeq":1,"oldestSeq":1},"events":[{"v":1,"type":"turn_started","seq":1,"ts":"1970-01-01T00:00:00.000Z","sessionId":"s1","turnId":"t1"}],"more":false}
}

// A turn asks, and its human answers over HTTP: both through one Session.
func ExampleDurable() {
	ctx, logs := context.Background(), memory.New(memory.Options{})
	log, _ := logs.Create(ctx, "s1")
	lease, _ := log.Acquire(ctx)
	session, _ := durable.New(durable.Options{Log: log, Lease: lease})
	_, _ = session.Park(ctx, durable.Question{TurnID: "t1", CheckpointID: "cp_1", Request: []byte(`{"type":"continue"}`)})

	handler := serve.New(logs, serve.Options{Durable: serve.Durable{
		Writer: func(context.Context, string) (*durable.Session, error) { return session, nil },
		Who:    func(*http.Request) park.By { return park.By{Kind: "user", Role: "owner", TenantID: "acme"} },
	}})

	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, "/v1/sessions/s1/decisions/cp_1", strings.NewReader(`{"decision":{"action":"continue"},"seq":1,"generation":1}`))
	r.Header.Set("Content-Type", "application/json")
	handler.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Body)
	// Output: 200 {"sessionId":"s1","decisionId":"cp_1","seq":2,"generation":1,"decision":{"action":"continue"},"resolvedBy":{"kind":"user","role":"owner","tenantId":"acme"}}
}
