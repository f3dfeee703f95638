package edge

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/pkg/relay"
)

// Options say what a Handler stands in front of. Upstream and
// Transport are required; else the zero value is what most need.
type Options struct {
	// Upstream is the address of the server: absolute, http or https, without credentials, query
	// or fragment. The path of each request is added to its own, the query is that of the request.
	Upstream string

	// Transport makes the requests, and follows no redirects. Required, and no default of the package:
	// http.DefaultTransport would make a worker half as large again, which has another one.
	Transport http.RoundTripper

	Profile  *profile.Profile // of the streams; nil: profile.Session
	Mode     link.Mode        // Observe leaves nothing out, and tells OnVerdict what it would have
	MaxFrame int              // bytes of one frame; 0: relay.DefaultMaxFrame

	// OnVerdict is told of each verdict, also, while only watching, of those that would have been
	// a refusal; nil: nobody is. The report is valid until it returns, and holds no payload.
	OnVerdict func(r *http.Request, report *link.Report)

	// OnFault is told what kept an answer from being a stream, or ended one that was; nil: nobody is.
	OnFault func(r *http.Request, f *fault.Fault)
}

// Handler is a relay for each request. Use New. It may be used by many goroutines at
// once, and has no state that changes.
type Handler struct {
	options  Options
	upstream *url.URL
}

// New makes a handler. An address that cannot be asked, no transport, or a limit
// below 0, is fault.InvalidOptions.
func New(o Options) (*Handler, error) {
	upstream, f := readUpstream(o.Upstream)
	if f != nil {
		return nil, f
	}
	if o.MaxFrame < 0 {
		return nil, fault.New(fault.InvalidOptions, "a frame limit of at least 0 bytes", "one below")
	}
	if o.Transport == nil {
		return nil, fault.New(fault.InvalidOptions, "a transport, such as http.DefaultTransport", "none")
	}
	if o.Profile == nil {
		o.Profile = &profile.Session
	}
	if o.OnFault == nil {
		o.OnFault = func(*http.Request, *fault.Fault) {}
	}
	return &Handler{options: o, upstream: upstream}, nil
}

func readUpstream(address string) (*url.URL, *fault.Fault) {
	u, err := url.Parse(address)
	if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil &&
		!strings.ContainsAny(address, "?#") {
		return u, nil
	}
	found := "none"
	if address != "" {
		found = string(rawjson.AppendQuoted(nil, fault.Clip([]byte(address))))
	}
	if err == nil && u.User != nil {
		found = "one with credentials" // and not these
	}
	return nil, fault.New(fault.InvalidOptions, "an absolute http or https address of the server, without credentials, query or fragment", found)
}

// relay is what one connection is to be read as.
func (o *Options) relay() relay.Options {
	return relay.Options{Profile: o.Profile, Mode: o.Mode, Verdicts: o.OnVerdict != nil, MaxFrame: o.MaxFrame}
}
