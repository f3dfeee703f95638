package serve_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/park"
	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

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
