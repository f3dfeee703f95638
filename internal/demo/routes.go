package demo

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/wire"
)

// routes are all there are. Whatever shows the session goes through the doors.
func (d *Demo) routes() {
	d.mux.HandleFunc("/v1/sessions/{sessionId}/events", d.stream(d.v1.ServeHTTP))
	d.mux.HandleFunc("/v1/", d.doors.visit(d.v1.ServeHTTP))
	d.mux.HandleFunc("GET /plain/sessions/{sessionId}/events", d.doors.stream(d.servePlain))
	if d.kind.leased {
		d.mux.HandleFunc("GET /demo/session", d.serveSession)
	}
	d.mux.HandleFunc("POST /demo/sessions/{sessionId}/faults", d.serveFault)
}

// serveSession says which sessions are live, and where everything about them is.
func (d *Demo) serveSession(w http.ResponseWriter, _ *http.Request) {
	page := d.page()
	page["speed"], page["unfenced"] = d.speed, d.bare.page()
	asking := make([]map[string]any, len(d.desks))
	for i, desk := range d.desks {
		asking[i] = desk.page()
		asking[i]["asks"] = desk.kind.asked
	}
	page["asking"] = asking
	writeJSON(w, http.StatusOK, page)
}

func (d *Demo) page() map[string]any {
	id := d.Session()
	return map[string]any{
		"id":            id,
		"eventsUrl":     "/v1/sessions/" + id + "/events",
		"plainUrl":      "/plain/sessions/" + id + "/events",
		"logUrl":        "/v1/sessions/" + id + "/log",
		"transcriptUrl": "/v1/sessions/" + id + "/transcript",
		"faultsUrl":     "/demo/sessions/" + id + "/faults",
		"faults":        d.kind.faults,
	}
}

// maxAsk is the size of a request for a fault, in bytes.
const maxAsk = 1 << 10

// serveFault does the fault that is asked for and answers what happened.
func (d *Demo) serveFault(w http.ResponseWriter, r *http.Request) {
	if r.PathValue("sessionId") != d.Session() {
		writeFault(w, http.StatusNotFound, fault.New(fault.UnknownSession, "session "+d.Session(), strconv.Quote(r.PathValue("sessionId"))))
		return
	}
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		writeFault(w, http.StatusUnsupportedMediaType, fault.New(fault.InvalidOptions, "content type application/json", strconv.Quote(kind)))
		return
	}
	name, do, bad := d.readFault(http.MaxBytesReader(w, r.Body, maxAsk))
	if bad != nil {
		writeFault(w, http.StatusBadRequest, bad)
		return
	}
	report, err := d.ask(r.Context(), name, do)
	if err != nil {
		writeFault(w, http.StatusServiceUnavailable, fault.New(fault.InternalFault, "a running agent", err.Error()))
		return
	}
	writeJSON(w, http.StatusOK, report)
}

type doing = func(*Demo, context.Context, *Report) error

func (d *Demo) readFault(body io.Reader) (string, doing, *fault.Fault) {
	var asked struct {
		Fault string `json:"fault"`
	}
	decoder := json.NewDecoder(body)
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&asked)
	found := strconv.Quote(asked.Fault)
	if err != nil {
		found = err.Error()
	}
	for _, f := range faults {
		if err == nil && f.name == asked.Fault && slices.Contains(d.kind.faults, f.name) {
			return f.name, f.do, nil
		}
	}
	return "", nil, fault.New(fault.InvalidOptions, `{"fault": one of `+strings.Join(d.kind.faults, ", ")+"}", found)
}

var errOver = errors.New("it has stopped")

// ask lets the agent do a fault between two events, and waits for it. Once begun,
// a fault is done to its end, even when the one who asked is gone.
func (d *Demo) ask(ctx context.Context, name string, do doing) (report Report, err error) {
	done := make(chan struct{})
	task := func(running context.Context) error {
		defer close(done)
		report, err = d.report(running, name, do)
		return err
	}
	select {
	case d.agent.asked <- task:
		<-done
		return report, err
	case <-ctx.Done():
		return report, ctx.Err()
	case <-d.over:
		return report, errOver
	}
}

// writeFault answers in the form of the routes below /v1 (RFC 9457).
func writeFault(w http.ResponseWriter, status int, f *fault.Fault) {
	write(w, status, "application/problem+json", wire.AppendProblem(nil, status, f))
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	write(w, status, "application/json", raw(v))
}

func write(w http.ResponseWriter, status int, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // the page may be gone; nothing follows
}
