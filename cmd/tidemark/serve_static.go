package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path"
	"strconv"
	"strings"
)

// static serves the files of a folder: never one outside it, never one whose name
// begins with a dot, never a list. A file that has a compressed one beside it
// (name.br, name.gz) is sent that way to whoever takes it.
type static struct{ root *os.Root }

func openStatic(dir string) (*static, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &static{root}, nil
}

func (s *static) close() { _ = s.root.Close() }

// types are those a page is made of; they do not depend on the machine.
var types = map[string]string{
	".css":         "text/css; charset=utf-8",
	".gif":         "image/gif",
	".html":        "text/html; charset=utf-8",
	".ico":         "image/x-icon",
	".jpg":         "image/jpeg",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".jsonl":       "application/jsonl",
	".map":         "application/json",
	".md":          "text/markdown; charset=utf-8",
	".mjs":         "text/javascript; charset=utf-8",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
	".webp":        "image/webp",
	".woff2":       "font/woff2",
}

// encodings, the best first.
var encodings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// ServeHTTP answers GET and HEAD.
func (s *static) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	if hidden(name) {
		http.NotFound(w, r)
		return
	}
	if info, err := s.root.Stat(orDot(name)); err == nil && info.IsDir() {
		if !strings.HasSuffix(r.URL.Path, "/") {
			http.Redirect(w, r, "/"+name+"/", http.StatusMovedPermanently)
			return
		}
		name = path.Join(name, "index.html")
	}
	s.send(w, r, name)
}

func hidden(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") {
			return true
		}
	}
	return false
}

func orDot(name string) string {
	if name == "" {
		return "."
	}
	return name
}

// send sends a file, compressed if there is such a file and the client takes it.
func (s *static) send(w http.ResponseWriter, r *http.Request, name string) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	file, info, err := s.open(name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	defer file.Close()
	header.Set("Content-Type", typeOf(name))
	header.Set("Cache-Control", "no-cache")
	header.Set("Vary", "Accept-Encoding")
	mark := ""
	for _, e := range encodings {
		if !accepts(r, e.name) {
			continue
		}
		if small, smallInfo, err := s.open(name + e.suffix); err == nil {
			defer small.Close()
			file, info, mark = small, smallInfo, "-"+e.name
			header.Set("Content-Encoding", e.name)
			break
		}
	}
	header.Set("ETag", fmt.Sprintf(`"%x-%x%s"`, info.Size(), info.ModTime().UnixNano(), mark))
	http.ServeContent(w, r, name, info.ModTime(), file)
}

func (s *static) open(name string) (*os.File, fs.FileInfo, error) {
	file, err := s.root.Open(name)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && info.Mode().IsRegular() {
		return file, info, nil
	}
	return nil, nil, errors.Join(fs.ErrNotExist, err, file.Close())
}

func typeOf(name string) string {
	if kind := types[strings.ToLower(path.Ext(name))]; kind != "" {
		return kind
	}
	return "application/octet-stream"
}

// accepts tells whether a client takes an encoding, by its Accept-Encoding.
func accepts(r *http.Request, encoding string) bool {
	for _, value := range r.Header.Values("Accept-Encoding") {
		for one := range strings.SplitSeq(value, ",") {
			name, parameters, _ := strings.Cut(strings.TrimSpace(one), ";")
			if !strings.EqualFold(strings.TrimSpace(name), encoding) {
				continue
			}
			_, quality, weighted := strings.Cut(parameters, "q=")
			q, err := strconv.ParseFloat(strings.TrimSpace(quality), 64)
			return !weighted || (err == nil && q > 0)
		}
	}
	return false
}
