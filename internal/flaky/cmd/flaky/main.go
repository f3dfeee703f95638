// Command flaky serves a recorded stream and misbehaves as the query of each
// request asks for; see package flaky. The first line that it prints is its
// address. It is for tests, and listens where nobody else can reach it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"github.com/tidemark-stream/tidemark/internal/flaky"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "`host:port` to listen on; port 0 is any free one")
	flag.Parse()
	if err := run(*addr); err != nil {
		fmt.Fprintln(os.Stderr, "flaky:", err)
		os.Exit(1)
	}
}

func run(addr string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: flaky.New(flaky.Script{})}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	fmt.Printf("http://%s\n", listener.Addr())
	if err = server.Serve(listener); errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
