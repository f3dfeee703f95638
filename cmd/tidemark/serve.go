package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

const serveHelp = `usage: tidemark serve --demo | --logs DIR [flags]

Serves session logs over SSE and as pages (docs/protocol.md), until it is stopped.

  --demo              play an endless session, with faults on request (docs/serve.md)
  --logs DIR          serve the session logs of a folder: one <session>.jsonl for each,
                      read only, followed while others append to them
  --addr HOST:PORT    where to listen (127.0.0.1:8080); when the port is taken, one of
                      the next twenty is, and the first line says which; port 0: any
  --web DIR           static files for everything else; with --demo web/demo/dist when
                      it is there
  --allow-origin ORIGIN   pages of this origin may read as well; may be repeated, "*": all
  --speed X           of the demo; 1 is about 8 events a second
  --seed N            of the demo; the same seed plays the same session
  --quiet             no line for each request

examples:
  tidemark serve --demo
  tidemark serve --logs ./sessions --addr 0.0.0.0:9000
  curl -N http://127.0.0.1:8080/v1/sessions/<session>/events

exit codes: 0 stopped by a signal, 1 it broke while serving, 2 it could not start
`

// serveOptions are the flags of serve.
type serveOptions struct {
	demo    bool
	logs    string
	addr    string
	web     string
	origins []string
	speed   float64
	seed    uint64
	quiet   bool
}

// runServe serves until SIGINT or SIGTERM; a second one ends it at once.
func runServe(args []string, c console) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return serveUntil(ctx, args, c)
}

func serveUntil(ctx context.Context, args []string, c console) int {
	o, code, ok := readServeFlags(args, c)
	if !ok {
		return code
	}
	site, err := openSite(ctx, o, c)
	if err != nil {
		fmt.Fprintln(c.err, "tidemark serve:", err)
		return exitUsage
	}
	defer site.release()
	listener, note, err := listen(o.addr)
	if err != nil {
		fmt.Fprintln(c.err, "tidemark serve:", err)
		return exitUsage
	}
	if note != "" {
		fmt.Fprintln(c.err, "tidemark serve:", note)
	}
	site.announce(c.out, urlOf(listener.Addr()))
	if err := site.serve(ctx, listener, c); err != nil {
		fmt.Fprintln(c.err, "tidemark serve:", err)
		return exitFound
	}
	return exitOK
}

func readServeFlags(args []string, c console) (o serveOptions, code int, ok bool) {
	flags := flag.NewFlagSet("tidemark serve", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&o.demo, "demo", false, "")
	flags.StringVar(&o.logs, "logs", "", "")
	flags.StringVar(&o.addr, "addr", "127.0.0.1:8080", "")
	flags.StringVar(&o.web, "web", "", "")
	flags.Func("allow-origin", "", func(origin string) error { o.origins = append(o.origins, origin); return checkOrigin(origin) })
	flags.Float64Var(&o.speed, "speed", 1, "")
	flags.Uint64Var(&o.seed, "seed", 0, "")
	flags.BoolVar(&o.quiet, "quiet", false, "")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(c.out, serveHelp)
		return o, exitOK, false
	}
	if err == nil {
		err = o.check(flags.Args())
	}
	if err != nil {
		fmt.Fprintf(c.err, "tidemark serve: %v\n  tidemark serve --help explains the flags\n", err)
		return o, exitUsage, false
	}
	return o, exitOK, true
}

func (o *serveOptions) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("takes no arguments besides flags, got %q", rest[0])
	case o.demo == (o.logs != ""):
		return errors.New("needs one of --demo and --logs DIR")
	case o.speed < 0.01 || o.speed > 1000:
		return fmt.Errorf("--speed is from 0.01 to 1000, got %v", o.speed)
	}
	if _, _, err := net.SplitHostPort(o.addr); err != nil {
		return fmt.Errorf("--addr is host:port, as in 127.0.0.1:8080, got %q", o.addr)
	}
	return nil
}

// portsToTry is how many ports behind a taken one are tried.
const portsToTry = 20

// listen takes an address, or one of the next ports when it is taken; note says so.
func listen(addr string) (l net.Listener, note string, err error) {
	l, err = net.Listen("tcp", addr)
	host, port, _ := net.SplitHostPort(addr)
	first, lookup := net.LookupPort("tcp", port)
	if lookup != nil || !errors.Is(err, syscall.EADDRINUSE) {
		return l, "", err
	}
	for next := first + 1; next <= first+portsToTry && next < 1<<16; next++ {
		l, again := net.Listen("tcp", net.JoinHostPort(host, fmt.Sprint(next)))
		if again == nil {
			return l, fmt.Sprintf("%s is taken, so this is on port %d", addr, next), nil
		}
	}
	return nil, "", fmt.Errorf("%s is taken, and so are the %d ports behind it", addr, portsToTry)
}

// urlOf is how a browser on this machine gets there.
func urlOf(addr net.Addr) string {
	host, port, _ := net.SplitHostPort(addr.String())
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port) + "/"
}

// shutdownFor is how long open requests may take to end.
const shutdownFor = 5 * time.Second

// serve answers requests until ctx is done, or something breaks. Streams get a
// clean end of their body.
func (s *site) serve(ctx context.Context, l net.Listener, c console) error {
	running, cancel := context.WithCancel(ctx)
	server := &http.Server{
		Handler:           s.wrapped(l.Addr(), c.err),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
	}
	broke := make(chan error, 2)
	var beside sync.WaitGroup
	beside.Go(func() { broke <- s.run(running) })
	beside.Go(func() { broke <- server.Serve(l) })
	var err error
	select {
	case <-ctx.Done():
	case err = <-broke:
	}
	s.close()
	ending, stop := context.WithTimeout(context.Background(), shutdownFor)
	defer stop()
	if server.Shutdown(ending) != nil {
		_ = server.Close() // whoever is left did not want to go
	}
	cancel()
	beside.Wait()
	return err
}
