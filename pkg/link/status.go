package link

import (
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/sse"
)

// answer is what a response status means to the link.
type answer uint8

const (
	answerStream  answer = iota // read the body
	answerEnd                   // nothing more will come
	answerRefusal               // the log does not continue the cursor
	answerLater                 // try again after a back-off
	answerDenied                // credentials
	answerFatal                 // no retry can mend it
)

// statusRules are tried in order; the first range that holds the status decides.
var statusRules = [...]struct {
	from, to int
	answer   answer
}{
	{200, 200, answerStream},
	{204, 204, answerEnd},
	{401, 401, answerDenied},
	{403, 403, answerDenied},
	{408, 408, answerLater},
	{409, 410, answerRefusal},
	{425, 425, answerLater},
	{429, 429, answerLater},
	{500, 599, answerLater},
}

func answerTo(status int) answer {
	for _, r := range statusRules {
		if status >= r.from && status <= r.to {
			return r.answer
		}
	}
	return answerFatal
}

// Response is what the driver saw of an answer before its body.
type Response struct {
	Status      int
	ContentType string // as sent; "" when absent
	RetryAfter  Millis // of the Retry-After header, from now; 0 when absent, at most an hour counts
	Body        []byte // of an answer that is no stream, shortened; may be nil. Only its "code" member is read
}

func contentTypeFault(found string) *fault.Fault {
	if found == "" {
		found = "no content type"
	}
	return fault.New(fault.ContentType, sse.ContentType, found)
}
