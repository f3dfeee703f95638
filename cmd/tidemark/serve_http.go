package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

func sessionPath(id string) string { return "/v1/sessions/" + url.PathEscape(id) + "/events" }

// wrapped is the whole site as one handler.
func (s *site) wrapped(addr net.Addr, log io.Writer) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		fmt.Fprintln(w, "ok")
	})
	for _, prefix := range s.prefixes {
		mux.Handle(prefix, s.streams)
	}
	mux.Handle("/", s.page)
	handler := allowOrigins(s.options.origins, mux)
	if isLoopback(addr.String()) {
		handler = onlyLocalNames(handler)
	}
	if s.options.quiet {
		return handler
	}
	return logged(handler, log)
}

// onlyLocalNames refuses requests for other names than this machine's own. A
// server that only this machine can reach would otherwise be open to any web page
// whose name was made to point here.
func onlyLocalNames(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isLoopback(r.Host) {
			http.Error(w, "this server listens on this machine only and answers to its names, such as localhost; --addr makes it reachable under others", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isLoopback tells a host, with or without port, that is this machine.
func isLoopback(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// checkOrigin reports what is no origin.
func checkOrigin(origin string) error {
	u, err := url.Parse(origin)
	if origin == "*" || (err == nil && u.Scheme != "" && u.Host != "" && u.Scheme+"://"+u.Host == origin) {
		return nil
	}
	return fmt.Errorf("an origin is scheme://host[:port] without a path, or *, got %q", origin)
}

// allowOrigins lets pages of other origins read, and ask for faults.
func allowOrigins(origins []string, next http.Handler) http.Handler {
	if len(origins) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header, origin := w.Header(), r.Header.Get("Origin")
		header.Add("Vary", "Origin")
		if origin != "" && (slices.Contains(origins, origin) || slices.Contains(origins, "*")) {
			header.Set("Access-Control-Allow-Origin", origin)
			header.Set("Access-Control-Expose-Headers", "ETag, Retry-After")
		}
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			header.Set("Access-Control-Allow-Methods", "GET, POST")
			header.Set("Access-Control-Allow-Headers", "Authorization, Cache-Control, Content-Type, If-None-Match, Last-Event-ID")
			header.Set("Access-Control-Max-Age", "600")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// logged writes a line for each answer when it is over:
//
//	15:04:05 GET /healthz 200 3 B 0s
//
// A connection that was broken off says cut behind its status.
func logged(next http.Handler, log io.Writer) http.Handler {
	var mu sync.Mutex
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, began, how := &counted{ResponseWriter: w, status: http.StatusOK}, time.Now(), " cut"
		defer func() {
			mu.Lock()
			defer mu.Unlock()
			fmt.Fprintf(log, "%s %s %s %d%s %s %s\n", time.Now().Format(time.TimeOnly), r.Method, r.URL.RequestURI(),
				c.status, how, size(c.bytes), time.Since(began).Round(time.Millisecond))
		}()
		next.ServeHTTP(c, r)
		how = ""
	})
}

// counted remembers what a log line says.
type counted struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (c *counted) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.bytes += int64(n)
	return n, err
}

// Unwrap lets flushes and deadlines through.
func (c *counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1_000_000)
}
