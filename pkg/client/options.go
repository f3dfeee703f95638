package client

import (
	"context"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/profile"
)

// Options of a stream. The zero value follows the session that the URL names, from
// the beginning, and enforces.
type Options struct {
	// Sessions are those to follow, each once, at most 1024. Empty: those of
	// Cursors, else the one that the URL names (…/sessions/{id}/events), else the
	// one that the server names.
	Sessions []string

	// Cursors are where to go on, at most one for each session. A session without
	// one starts as From says.
	Cursors []Cursor

	// From is where sessions without a cursor start.
	From From

	// Load makes a state and says where it stands; see [Load]. nil: a refusal ends
	// its session.
	Load Load

	// Header is sent with every request. nil: nothing of your own is. Accept is
	// text/event-stream unless it says otherwise.
	Header http.Header

	// Credentials answers the headers that come and go, before every connection;
	// they win over those of Header. When the server says 401 or 403 it is asked for
	// new ones, once until something recorded has come. An error ends the
	// stream as [fault.Unauthorized], with the error as its cause. It may take its
	// time. nil: nobody is asked, and 401 and 403 end the stream.
	Credentials func(ctx context.Context, r Request) (http.Header, error)

	// Client makes the requests. nil: http.DefaultClient. A Timeout of its own
	// would break every stream that lives longer.
	Client *http.Client

	// Profile says what the stream can promise. nil: profile.Session.
	Profile *profile.Profile

	// Proof is whether a cursor without a generation has to be proven by the event
	// it stands on; see link.Proof. 0: as the profile says.
	Proof link.Proof

	// Mode is link.Enforce, or link.Observe: hand everything over, and report.
	Mode link.Mode

	// OnDecision sees each verdict, and each connection that broke. It costs some
	// speed. nil: nobody does.
	OnDecision func(Decision)

	// OnState sees each change of where the stream stands. nil: nobody does.
	OnState func(Standing)

	// MaxFrame is the most bytes of a frame; 0: 48 MiB. MaxDepth is the most levels
	// of nesting in an event; 0: 512.
	MaxFrame, MaxDepth int

	random func() float64 // nil: rand.Float64
}

// From is where a session without a cursor starts.
type From uint8

// Starts.
const (
	Unsaid    From = iota // where Load's first state stands; without Load, the beginning
	Beginning             // from the first event that is recorded, even with Load
	Now                   // from where the log stands when the server answers
)

// Request is a connection that is about to be made.
type Request struct {
	URL     string
	Attempt int // waits since the last progress; 0 for a first connection and a resync
	Status  int // 401 or 403 when that was the last answer; else 0
}

// Load answers a state of the session, and the token of the cursor it stands at:
// they belong together. It is called for the first state of a session
// without a cursor, and after a refusal. ctx ends with the stream. An error ends
// the session with [fault.LoadFailed], with the error as its cause.
type Load func(ctx context.Context, r LoadRequest) (Loaded, error)

// LoadRequest says which state is needed, and why.
type LoadRequest struct {
	Session string
	Why     link.Why
	Refused *Refused // what the state is to be rebuilt after; nil for the first
}

// Loaded is a state and the token of its cursor.
type Loaded struct {
	State  any
	Cursor string
}

// settings are checked options.
type settings struct {
	Options
	url   *url.URL
	named string // the session that the URL names
}

// settle checks what the link does not, and reads what it takes as values.
func (o Options) settle(address string) (*settings, *link.Options, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || !strings.HasPrefix(u.Scheme, "http") {
		return nil, nil, fault.New(fault.InvalidOptions, "an absolute URL of http or https", "another text")
	}
	for _, name := range []string{"session", "cursor", "from"} {
		if u.Query().Has(name) {
			return nil, nil, fault.New(fault.InvalidOptions, "no "+name+"= in the URL; there is an option for it", "one")
		}
	}
	if o.Profile == nil {
		o.Profile = &profile.Session
	}
	if o.Client == nil {
		o.Client = http.DefaultClient
	}
	if o.random == nil {
		o.random = rand.Float64
	}
	s := &settings{Options: o, url: u, named: sessionIn(u)}
	l, err := s.link()
	return s, l, err
}

func (s *settings) link() (*link.Options, error) {
	o := &link.Options{
		Profile: s.Profile, Sessions: s.Sessions, Mode: s.Mode, Load: s.Load != nil,
		Report: s.OnDecision != nil, MaxFrame: s.MaxFrame, MaxDepth: s.MaxDepth,
		Explicit: s.From != Unsaid, States: true, Credentials: s.Credentials != nil, Proof: s.Proof,
	}
	switch {
	case s.From > Now:
		return nil, fault.New(fault.InvalidOptions, "From: Unsaid, Beginning or Now", "another number")
	case s.MaxFrame < 0 || s.MaxDepth < 0:
		return nil, fault.New(fault.InvalidOptions, "limits from 0", "one below")
	case s.From == Now:
		o.From = link.FromNow
	}
	for _, c := range s.Cursors {
		if err := c.read(o); err != nil {
			return nil, err
		}
	}
	if len(o.Sessions) == 0 && len(o.Cursors) == 0 && s.named != "" {
		o.Sessions = []string{s.named}
	}
	return o, nil
}

var route = regexp.MustCompile(`/sessions/([^/]+)/events/?$`)

// sessionIn is the session that a URL of our route names, else "".
func sessionIn(u *url.URL) string {
	m := route.FindStringSubmatch(u.EscapedPath())
	if m == nil {
		return ""
	}
	name, err := url.PathUnescape(m[1])
	if err != nil {
		return ""
	}
	return name
}
