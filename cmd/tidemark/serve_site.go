package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/tidemark-stream/tidemark/internal/demo"
	"github.com/tidemark-stream/tidemark/pkg/serve"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/disk"
)

// site is what is served: streams, and perhaps a page.
type site struct {
	options  serveOptions
	streams  http.Handler
	page     http.Handler
	prefixes []string                    // of the paths that streams answers
	run      func(context.Context) error // lives beside the requests, until its context is done
	close    func()                      // ends open streams in good order
	release  func()                      // frees the rest
	announce func(w io.Writer, url string)
}

func openSite(ctx context.Context, o serveOptions, c console) (*site, error) {
	s := &site{options: o, release: func() {}}
	web := o.web
	if web == "" && o.demo {
		web = builtPage()
	}
	if web != "" {
		files, err := openStatic(web)
		if err != nil {
			return nil, fmt.Errorf("--web %s: %w", web, plainly(err))
		}
		s.page, s.release = files, files.close
	}
	if o.demo {
		return s, s.openDemo(ctx, c)
	}
	return s, s.openLogs(c)
}

// demoPage is where the build puts the demo page.
const demoPage = "web/demo/dist"

func builtPage() string {
	if info, err := os.Stat(filepath.FromSlash(demoPage)); err != nil || !info.IsDir() {
		return ""
	}
	return filepath.FromSlash(demoPage)
}

func (s *site) openDemo(ctx context.Context, c console) error {
	if s.options.seed == 0 {
		s.options.seed = uint64(uint32(time.Now().UnixNano())) | 1
	}
	d, err := demo.New(ctx, demo.Options{Seed: s.options.seed, Speed: s.options.speed, Serve: serveDefaults(c)})
	if err != nil {
		return err
	}
	s.streams, s.prefixes = d, []string{"/v1/", "/plain/", "/demo/"}
	s.run, s.close = d.Run, d.Close
	events := "v1/sessions/" + d.Session() + "/events"
	page := s.page != nil
	if !page {
		s.page = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { index(w, r, []string{d.Session(), d.Bare()}) })
	}
	s.announce = func(w io.Writer, url string) {
		fmt.Fprintf(w, "tidemark demo: %s\n", url)
		if !page {
			fmt.Fprintf(w, "  without its page: %s is not there (make build makes it, --web names another folder)\n", demoPage)
		}
		fmt.Fprintf(w, "  seed %d, speed %g\n  try: curl -N %s%s\n", s.options.seed, s.options.speed, url, events)
	}
	return nil
}

func (s *site) openLogs(c console) error {
	store, err := disk.New(s.options.logs, disk.Options{ReadOnly: true})
	if err != nil {
		return fmt.Errorf("--logs %s: %w", s.options.logs, plainly(err))
	}
	ids, err := store.List(context.Background())
	if err != nil {
		return errors.Join(fmt.Errorf("--logs %s: %w", s.options.logs, plainly(err)), store.Close())
	}
	handler := serve.New(store, serveDefaults(c))
	s.streams, s.prefixes = handler, []string{"/v1/"}
	s.run = func(ctx context.Context) error { <-ctx.Done(); return nil }
	s.close = handler.Close
	page := s.release
	s.release = func() { page(); _ = store.Close() } // read only: nothing can be lost
	if s.page == nil {
		s.page = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ids, _ := store.List(r.Context()) // an empty page says enough
			index(w, r, ids)
		})
	}
	s.announce = func(w io.Writer, url string) {
		fmt.Fprintf(w, "tidemark serves %s: %s\n", s.options.logs, url)
		fmt.Fprintf(w, "  %s; new ones, and what is appended, are served as they come\n", count(len(ids)))
	}
	return nil
}

// serveDefaults: cross-origin reading is allowed for the site as a whole.
func serveDefaults(c console) serve.Options {
	return serve.Options{OnError: func(session string, err error) {
		fmt.Fprintf(c.err, "tidemark serve: session %q: %v\n", session, err)
	}}
}

// plainly says what is wrong with a folder without naming system calls.
func plainly(err error) error {
	var path *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("there is no such folder")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("the folder may not be read")
	case errors.As(err, &path):
		return path.Err
	}
	return err
}

// listed is how many sessions the text page names.
const listed = 200

// index is the page of a server that has none: where the streams are.
func index(w http.ResponseWriter, r *http.Request, sessions []string) {
	if r.URL.Path != "/" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	fmt.Fprintf(w, "%s\n\n", count(len(sessions)))
	for _, id := range sessions[:min(len(sessions), listed)] {
		fmt.Fprintf(w, "%s\n", sessionPath(id))
	}
	if len(sessions) > listed {
		fmt.Fprintf(w, "… and %d more\n", len(sessions)-listed)
	}
}

func count(sessions int) string {
	if sessions == 1 {
		return "1 session"
	}
	return strconv.Itoa(sessions) + " sessions"
}
