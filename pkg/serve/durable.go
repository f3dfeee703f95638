package serve

import (
	"context"
	"net/http"
	"time"

	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// Durable is what a handler needs for the durable state of sessions. Without it the
// log is read only, and no runs are listed.
type Durable struct {
	// Writer answers the Session that writes a log, the same one to every call: what
	// two Sessions of one log record can be two answers to one question. nil as
	// its answer: another process writes the log, and answers are refused with
	// durable.not_the_writer. nil itself: nothing is ever written here
	// (durable.read_only). Its error is answered like that of a store.
	Writer func(ctx context.Context, session string) (*durable.Session, error)

	// Who is recorded as the one who answered; it is asked for what Authorize let
	// pass. nil: kind "user", nothing else.
	Who func(r *http.Request) park.By

	// MaxBody bounds the body of an answer, in bytes; 0: 65,536.
	MaxBody int

	// Listers answers what may hold runs of a scope, such as the folders of its
	// sessions (see durable.ListerOf). Their pages are merged; of a run that two hold
	// the row of the first counts. nil: fault.CannotList. Its error is answered.
	Listers func(ctx context.Context, scope listing.Scope) ([]durable.Lister, error)

	// AuthorizeRuns decides who may list a scope, as Authorize does for sessions;
	// levels that a request does not name are "". nil: nobody, unless everybody may
	// read every session because there is no Authorize either.
	AuthorizeRuns func(r *http.Request, scope listing.Scope) (status int)

	// Clock is the time that states of parks are told for in a listing, in ms since
	// 1970; nil: that of the system.
	Clock func() int64
}

func (d Durable) orDefault(guarded bool) Durable {
	if d.Who == nil {
		d.Who = func(*http.Request) park.By { return park.By{Kind: "user"} }
	}
	if d.AuthorizeRuns == nil {
		status := 0
		if guarded {
			status = http.StatusForbidden
		}
		d.AuthorizeRuns = func(*http.Request, listing.Scope) int { return status }
	}
	if d.Clock == nil {
		d.Clock = func() int64 { return time.Now().UnixMilli() }
	}
	d.MaxBody = orElse(d.MaxBody, 64<<10)
	return d
}
