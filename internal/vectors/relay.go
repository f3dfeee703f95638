package vectors

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/tidemark-stream/tidemark/internal/relayhost"
	"github.com/tidemark-stream/tidemark/pkg/ask"
	catalog "github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/relay"
)

// Cases of bytes that pass through a relay.

var relayKeys = caseKeys.with(shape{
	"input": keys("chunks", "encoding").with(shape{
		"options": keys("sessions", "cursors", "from", "lastEventId", "profile", "mode", "maxFrame"),
	}),
	"expected": keys("out", "ends", "status", "code"),
})

// runRelay passes the chunks on as given, as a whole and cut anew; all have to give the
// same.
func runRelay(v vector) (any, error) {
	in := v.object("input")
	chunks, err := in.chunks("chunks")
	if err != nil {
		return nil, err
	}
	first, err := passOn(in.object("options"), chunks)
	for _, anew := range cuttings(chunks) {
		got, err := passOn(in.object("options"), anew)
		if err != nil {
			return nil, err
		}
		if !reflect.DeepEqual(first, got) {
			return nil, fmt.Errorf("%s when cut into %d chunks, and %s as given", text(got), len(anew), text(first))
		}
	}
	return first, err
}

// passOn passes chunks on: what goes out, and who ends it. A consumer that asks for
// what makes no sense gets a status and a code instead.
func passOn(options members, chunks [][]byte) (map[string]any, error) {
	o, f, err := options.relay()
	if err != nil {
		return nil, err
	}
	if f != nil {
		return map[string]any{"status": number(400), "code": f.ID.String()}, nil
	}
	h, f := relayhost.New(o)
	if f != nil {
		return map[string]any{"status": number(400), "code": f.ID.String()}, nil
	}
	h.Obey(h.Relay.Begin())
	for _, chunk := range chunks {
		h.Feed(string(chunk))
	}
	outcome := map[string]any{"ends": "relay", "status": number(200)}
	if !h.Closed {
		outcome["ends"] = "server"
		h.Obey(h.Relay.Closed(false))
	}
	outcome["out"] = string(h.Out)
	return outcome, nil
}

// relay reads the options as a request and a worker have them.
func (m members) relay() (*relay.Options, *catalog.Fault, error) {
	var read struct {
		Sessions, Cursors []string
		From, LastEventID string
		Mode              string
		MaxFrame          int
	}
	if err := json.Unmarshal(m.raw(), &read); err != nil {
		return nil, nil, err
	}
	p, err := m.profile()
	if err != nil {
		return nil, nil, err
	}
	o := &relay.Options{Profile: p, MaxFrame: read.MaxFrame}
	if read.Mode == link.Observe.String() {
		o.Mode = link.Observe
	}
	q := ask.Query{Sessions: read.Sessions, Cursors: read.Cursors, LastEventID: read.LastEventID}
	if read.From != "" {
		q.From = []string{read.From}
	}
	return o, o.Ask(&q), nil
}
