package relay

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/sse"
)

// Response is the head of an upstream answer. The zero Response is none: the request
// failed.
type Response struct {
	Status      int
	ContentType string // as sent; "" when absent
	Encoding    string // of Content-Encoding; "" when absent
}

// Reply is what a relay answers before it has passed on a byte.
type Reply struct {
	Status int          // of the answer
	Stream bool         // the body is read by a Relay
	Body   bool         // the body passes as it came, with its content type: it is short, and says why
	Fault  *fault.Fault // what the body says in place of the upstream's; nil: nothing
}

// reply is what a range of statuses leads to.
type reply struct {
	from, to int
	fault    fault.ID // 0: none
	status   int      // 0: the upstream's own
}

// replies are tried in order; the first range that holds the status decides.
var replies = [...]reply{
	{from: 0, to: 0, fault: fault.UpstreamDown, status: 502},
	{from: 200, to: 200},
	{from: 204, to: 204},
	{from: 300, to: 399, fault: fault.UpstreamMoved, status: 502},
	{from: 400, to: 599, fault: fault.UpstreamStatus},
}

// Judge says what to answer. Only a 200 with an event stream that can be read as it
// comes is relayed. What else an upstream says keeps its status, because that tells the
// consumer what to do next, and its body if that is JSON; a page made for people goes
// no further.
func Judge(r *Response) Reply {
	for i := range replies {
		if row := &replies[i]; r.Status >= row.from && r.Status <= row.to {
			return row.reply(r)
		}
	}
	return refuse(502, fault.UpstreamStatus, "an event stream", status(r))
}

func (row *reply) reply(r *Response) Reply {
	switch {
	case row.status != 0:
		return refuse(row.status, row.fault, "an event stream", status(r))
	case row.fault != 0 && isJSON(r.ContentType):
		return Reply{Status: r.Status, Body: true}
	case row.fault != 0:
		return refuse(r.Status, row.fault, "an event stream", status(r))
	case r.Status == 204:
		return Reply{Status: 204}
	case sse.MediaType(r.ContentType) != sse.ContentType:
		return refuse(502, fault.UpstreamNotStream, sse.ContentType, found(r.ContentType))
	case r.Encoding != "" && sse.Lower(r.Encoding) != "identity":
		return refuse(502, fault.UpstreamEncoded, "no Content-Encoding", fault.Clip([]byte(r.Encoding)))
	}
	return Reply{Status: 200, Stream: true}
}

func refuse(status int, id fault.ID, expected, found string) Reply {
	return Reply{Status: status, Fault: fault.New(id, expected, found)}
}

func status(r *Response) string {
	if r.Status == 0 {
		return "no answer"
	}
	return "status " + string(rawjson.AppendInt(nil, int64(r.Status)))
}

func found(contentType string) string {
	if contentType == "" {
		return "no content type"
	}
	return fault.Clip([]byte(contentType))
}

func isJSON(contentType string) bool {
	t := sse.MediaType(contentType)
	return t == "application/json" || t == "application/problem+json"
}
