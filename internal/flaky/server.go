package flaky

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
)

// Server answers as its script says, or as the query of a request says, and
// remembers what it was asked for. Make one with [New].
type Server struct {
	script Script
	mux    *http.ServeMux
	mu     sync.Mutex
	runs   map[string][]string // what the connections of a run asked for
}

// maxRuns bounds what is remembered.
const maxRuns = 10_000

// New makes a server that follows a script. A request with a query of its own
// (fault=) follows that instead.
func New(s Script) *Server {
	server := &Server{script: s, mux: http.NewServeMux(), runs: map[string][]string{}}
	for path, handle := range map[string]http.HandlerFunc{
		"/v1/sessions/{sessionId}/events": server.events,
		"/log":                            server.log,
		"/asked":                          server.asked,
		"/faults":                         func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, Kinds()) },
	} {
		server.mux.HandleFunc("GET "+path, handle)
		server.mux.HandleFunc("OPTIONS "+path, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	}
	return server
}

// Asked is what the connections of a run asked for so far, as in
// "session=b cursor=a:3@7". The run of a request that names none is "".
func (s *Server) Asked(run string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.runs[run]...)
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Allow-Methods", "GET")
	h.Set("Access-Control-Allow-Headers", "Authorization, Cache-Control, Content-Type, Last-Event-ID")
	h.Set("Access-Control-Expose-Headers", "Retry-After")
	h.Set("Cache-Control", "no-store")
	s.mux.ServeHTTP(w, r)
}

// count notes one more connection of a run, and answers how many there were.
func (s *Server) count(run, asks string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.runs) >= maxRuns {
		clear(s.runs)
	}
	s.runs[run] = append(s.runs[run], asks)
	return len(s.runs[run]) - 1
}

// unmet says of a status of views what could not be met.
var unmet = map[int]string{http.StatusNotFound: "stream.unknown_session", http.StatusBadRequest: "stream.invalid_cursor"}

func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	script, err := scriptOf(query, s.script)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fault := script.of(s.count(query.Get("run"), asked(query)))
	fault.Drip = fault.Drip || query.Get("drip") != ""
	kind, known := kindOf(fault.Kind)
	views, status := views(r)
	switch {
	case !known:
		http.Error(w, fmt.Sprintf("no fault %q; see /faults", fault.Kind), http.StatusBadRequest)
	case status != 0:
		problem(w, status, unmet[status])
	case kind.answers != nil && kind.answers(w, r, fault):
	default:
		stream(w, r, views, kind, fault, script.EOL)
	}
}

// stream answers with one, as far as the fault lets it.
func stream(w http.ResponseWriter, r *http.Request, views []view, k kind, f Fault, eol string) {
	for i := range views {
		if k.lies != nil {
			k.lies(&views[i], f)
		}
	}
	frames := compose(views)
	if k.sends != nil {
		frames = k.sends(frames, f)
	}
	w.Header().Set("Content-Type", cmp.Or(k.typed, eventStream))
	send(w, r, encode(frames, eol), f, k.stops)
}

// Stream is what an honest server sends a consumer that asks for all sessions from
// the beginning: cuts count from its first byte.
func Stream(eol string) []byte {
	var all []view
	for _, session := range sessions {
		v := view{session: session}
		v.cursor.Session = session
		v.stand(false)
		all = append(all, v)
	}
	return encode(compose(all), eol)
}

// log answers the truth.
func (s *Server) log(w http.ResponseWriter, r *http.Request) {
	eol, err := lineEnd(r.URL.Query().Get("eol"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	logs := map[string][]string{}
	for _, session := range sessions {
		for _, e := range Records(session) {
			logs[session] = append(logs[session], string(e.Text))
		}
	}
	writeJSON(w, map[string]any{"sessions": sessions, "records": logs, "bytes": len(Stream(eol))})
}

func (s *Server) asked(w http.ResponseWriter, r *http.Request) {
	writeJSON(w, s.Asked(r.URL.Query().Get("run")))
}

func writeJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value)
}
