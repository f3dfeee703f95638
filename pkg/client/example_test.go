package client_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"github.com/tidemark-stream/tidemark/pkg/client"
	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/memory"
)

// serving is a server of one session with some records.
func serving(ctx context.Context, texts ...string) (*httptest.Server, sessionlog.Log) {
	store := memory.New(memory.Options{})
	log, err := store.Create(ctx, "s1")
	if err != nil {
		panic(err)
	}
	for _, text := range texts {
		record(ctx, log, text)
	}
	return httptest.NewServer(serve.New(store, serve.Options{})), log
}

func record(ctx context.Context, log sessionlog.Log, text string) {
	if _, err := log.Append(ctx, "", fmt.Appendf(nil, `{"type":"note","text":%q}`, text)); err != nil {
		panic(err)
	}
}

func Example() {
	ctx := context.Background()
	server, log := serving(ctx, "ebb", "slack water")
	defer server.Close()

	stream, err := client.Open(ctx, server.URL+"/v1/sessions/s1/events", client.Options{})
	if err != nil {
		panic(err)
	}
	defer stream.Close()
	for item, err := range stream.Items() {
		if err != nil {
			panic(err)
		}
		switch item := item.(type) {
		case client.Event:
			fmt.Printf("%s %d: %s\n", item.Session, item.Seq, item.Type)
		case client.Live:
			fmt.Println("live at", item.Seq)
			record(ctx, log, "flood")
		case client.Refused:
			panic(item)
		}
		if event, ok := item.(client.Event); ok && event.Seq == 3 {
			break
		}
	}
	// Output:
	// s1 1: note
	// s1 2: note
	// live at 2
	// s1 3: note
}

// A state and its cursor are saved together, and a later stream goes on from them.
func ExampleStream_Applied() {
	ctx := context.Background()
	server, log := serving(ctx, "ebb", "slack water")
	defer server.Close()
	address := server.URL + "/v1/sessions/s1/events"

	state, saved := 0, client.Cursor{}
	stream, err := client.Open(ctx, address, client.Options{})
	if err != nil {
		panic(err)
	}
	for item, err := range stream.Items() {
		if err != nil {
			panic(err)
		}
		if _, live := item.(client.Live); live {
			saved, _ = stream.Applied("s1") // of all that came before
			break
		}
		state++
	}
	stream.Close()
	fmt.Println("saved", state, "records at", saved.Token)

	record(ctx, log, "flood")
	stream, err = client.Open(ctx, address, client.Options{Cursors: []client.Cursor{saved}})
	if err != nil {
		panic(err)
	}
	defer stream.Close()
	item, err := stream.Next(ctx)
	if err != nil {
		panic(err)
	}
	fmt.Println("goes on with", item.(client.Event).Seq)
	// Output:
	// saved 2 records at s1:2
	// goes on with 3
}
