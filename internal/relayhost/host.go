// Package relayhost does what a relay orders, in memory and for nobody else.
package relayhost

import (
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/relay"
)

// Host is the host of one relay: it has the bytes of the connection, and keeps all that
// comes of them. Pages ([relay.Fetch] to [relay.Join]) are left to whoever has a log.
type Host struct {
	Relay   *relay.Relay
	Came    []byte         // of the connection that is open
	Out     []byte         // to the consumer
	Places  map[int]string // as JSON, by lane
	Watched []string       // verdicts, as JSON
	Closed  bool
	Through bool         // all that comes passes
	Fault   *fault.Fault // with which it closed, or began to let all pass; nil when there was none
}

// New makes a relay and its host. A request that makes no sense has neither.
func New(o *relay.Options) (*Host, *fault.Fault) {
	r, f := relay.New(o)
	if f != nil {
		return nil, f
	}
	return &Host{Relay: r, Places: map[int]string{}}, nil
}

// Feed takes what the connection brings.
func (h *Host) Feed(chunk string) {
	h.Came = append(h.Came, chunk...)
	switch {
	case h.Through:
		h.Out = append(h.Out, chunk...)
	case !h.Closed:
		copy(h.Relay.Reserve(len(chunk)), chunk)
		h.Obey(h.Relay.Received(len(chunk)))
	}
}

// Obey carries out orders, in order.
func (h *Host) Obey(orders []relay.Order) {
	for i := range orders {
		switch o := &orders[i]; o.Kind {
		case relay.Pass:
			h.Out = append(h.Out, h.Came[o.From:o.To]...)
		case relay.Insert:
			h.Out = append(h.Out, o.Data...)
		case relay.Keep:
			h.Places[o.Lane] = string(o.Place.AppendJSON(nil))
		case relay.Verdict:
			h.Watched = append(h.Watched, string(o.Report.AppendJSON(nil, 1)))
		case relay.Through:
			h.Through, h.Fault = true, o.Fault
			h.Out = append(h.Out, h.Came[o.From:]...)
		case relay.Close:
			h.Closed, h.Fault = true, o.Fault
		}
	}
}
