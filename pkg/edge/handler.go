package edge

import (
	"context"
	"io"
	"net/http"
	"slices"

	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/relay"
)

// methods are those by which the server is asked. OPTIONS is a browser's question
// whether it may ask: the server alone can say.
var methods = []string{http.MethodGet, http.MethodHead, http.MethodOptions}

// ServeHTTP asks the server, and answers what it answers as far as it holds. When the
// server breaks off in the middle, so does the answer: it ends by http.ErrAbortHandler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !slices.Contains(methods, r.Method) {
		w.Header().Set("Allow", "GET, HEAD, OPTIONS")
		h.deny(w, r, http.StatusMethodNotAllowed, fault.New(fault.InvalidOptions, "a request with GET", "one with "+fault.Clip([]byte(r.Method))))
		return
	}
	if f := upwards(r.URL); f != nil {
		h.deny(w, r, http.StatusBadRequest, f)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	response, err := h.ask(ctx, r)
	if err != nil {
		reply := relay.Judge(&relay.Response{})
		reply.Fault.Err = err
		h.deny(w, r, reply.Status, reply.Fault)
		return
	}
	defer response.Body.Close()
	h.answer(w, r, response)
}

// open makes the relay of what a request asks for.
func (h *Handler) open(r *http.Request) (*relay.Relay, *fault.Fault) {
	q, f := query(r)
	if f != nil {
		return nil, f
	}
	o := h.options.relay()
	if f := o.Ask(q); f != nil {
		return nil, f
	}
	return relay.New(&o)
}

func (h *Handler) ask(ctx context.Context, r *http.Request) (*http.Response, error) {
	asked, err := h.request(ctx, r)
	if err != nil {
		return nil, err
	}
	return h.options.Transport.RoundTrip(asked)
}

// answer says what the judgement of the server's answer leads to.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request, response *http.Response) {
	reply := relay.Judge(&relay.Response{
		Status: response.StatusCode, ContentType: line(response.Header, "Content-Type"), Encoding: line(response.Header, "Content-Encoding"),
	})
	switch {
	case r.Method == http.MethodOptions && canPass(response):
		passOn(w, response)
	case reply.Stream:
		h.stream(w, r, response)
	case reply.Fault != nil:
		addHeader(w, response, relay.OfBody)
		h.deny(w, r, reply.Status, reply.Fault)
	default:
		passOn(w, response)
	}
}

// passOn answers what the server has answered.
func passOn(w http.ResponseWriter, response *http.Response) {
	addHeader(w, response, ofLength)
	w.WriteHeader(response.StatusCode)
	if _, err := io.Copy(w, response.Body); err != nil {
		panic(http.ErrAbortHandler) // the half of it must not look whole
	}
}

// stream answers a stream. What the request asks for is looked at only now, because the
// server says first who may ask, and which page may read the answer.
func (h *Handler) stream(w http.ResponseWriter, r *http.Request, response *http.Response) {
	machine, f := h.open(r)
	switch {
	case f == nil:
		h.relay(w, r, response, machine)
	case h.options.Mode == link.Observe:
		h.options.OnFault(r, f)
		h.relay(w, r, response, nil)
	default:
		addHeader(w, response, relay.OfBody)
		h.deny(w, r, http.StatusBadRequest, f)
	}
}

// relay passes a stream on; without a machine, all of it.
func (h *Handler) relay(w http.ResponseWriter, r *http.Request, response *http.Response, machine *relay.Relay) {
	addHeader(w, response, relay.OfBody)
	header := w.Header()
	header["Content-Type"] = response.Header["Content-Type"]
	header.Set("X-Accel-Buffering", "no")
	if header.Get("Cache-Control") == "" {
		header.Set("Cache-Control", "no-store")
	}
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return
	}
	p := &passage{handler: h, request: r, relay: machine, through: machine == nil, out: w, control: http.NewResponseController(w)}
	if p.run(response.Body) != nil && r.Context().Err() == nil {
		panic(http.ErrAbortHandler) // what broke must not look whole
	}
}
