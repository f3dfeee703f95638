package durable_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/durable/memory"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
	logmemory "github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

// A turn pauses at a checkpoint and asks; two people answer; the turn goes on.
func Example() {
	ctx := context.Background()
	logs := logmemory.New(logmemory.Options{Now: func() time.Time { return time.UnixMilli(0) }})
	log, _ := logs.Create(ctx, "s1")
	lease, _ := log.Acquire(ctx)
	s, _ := durable.New(durable.Options{
		Log: log, Store: memory.New(), Scope: listing.Scope{TenantID: "acme", ProjectID: "web"}, Lease: lease,
		Clock: func() int64 { return 0 }, NewID: func() string { return "c1" },
	})

	_, _ = log.Append(ctx, lease, []byte(`{"type":"message","turnId":"t1","messageId":"m1","content":{"role":"user","content":"ship it"}}`))
	made, _ := s.Commit(ctx, checkpoint.State{TurnID: "t1", Iteration: 1, LatestUserMessageID: "m1"})
	asked, _ := s.Park(ctx, durable.Question{TurnID: "t1", CheckpointID: made.CheckpointID, Request: []byte(`{"type":"plan"}`)})

	read := durable.Fence{Seq: asked.Seq, Generation: asked.Generation}
	_, err := s.Answer(ctx, asked.DecisionID, read, []byte(`{"action":"approve_plan"}`), park.By{Kind: "user", Role: "owner", TenantID: "acme"})
	fmt.Println("the first answer:", err)
	first, err := s.Answer(ctx, asked.DecisionID, read, []byte(`{"action":"abort"}`), park.By{Kind: "user", Role: "admin", TenantID: "acme"})
	fmt.Println("the second one came too late:", errors.Is(err, fault.DecisionAnswered), string(first.Decision))

	back, err := s.Restore(ctx, "t1", made.CheckpointID)
	fmt.Println(err, len(back.Messages), string(back.LatestUserMessage), string(back.Pending.Decision))
	// Output:
	// the first answer: <nil>
	// the second one came too late: true {"action":"approve_plan"}
	// <nil> 1 {"role":"user","content":"ship it"} {"action":"approve_plan"}
}
