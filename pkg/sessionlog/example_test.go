package sessionlog_test

import (
	"context"
	"fmt"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

func Example() {
	ctx := context.Background()
	store := memory.New(memory.Options{Now: func() time.Time { return time.UnixMilli(0) }})
	log, _ := store.Create(ctx, "s1")
	generation, _ := log.Acquire(ctx)
	tail, _ := log.Subscribe(ctx)

	_ = log.Publish(ctx, generation, []byte(`{"type":"text_delta","turnId":"t1","text":"Hel"}`))
	_, _ = log.Append(ctx, generation, []byte(`{"type":"message_completed","turnId":"t1","content":"Hello"}`))
	_, err := log.Append(ctx, "0", []byte(`{"type":"message_completed","turnId":"t1"}`))
	fmt.Println("a writer that lost the lease:", err != nil)

	batch, _ := tail.Next(ctx)
	for _, e := range batch {
		fmt.Printf("%d %s\n", e.Seq, e.Text)
	}
	head, _ := log.Head(ctx)
	fmt.Printf("%+v\n", head)
	// Output:
	// a writer that lost the lease: true
	// 0 {"sessionId":"s1","type":"text_delta","turnId":"t1","text":"Hel"}
	// 1 {"v":1,"type":"message_completed","seq":1,"generation":1,"ts":"1970-01-01T00:00:00.000Z","sessionId":"s1","turnId":"t1","content":"Hello"}
	// {LastSeq:1 Generation:1 OldestSeq:1}
}
