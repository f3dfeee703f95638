package edge

import (
	"errors"
	"io"
	"net/http"

	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/relay"
)

// chunkSize is how much is read at once, in bytes.
const chunkSize = 32 << 10

// keptRoom is how much room outlives what needed it, in bytes.
const keptRoom = 8 * chunkSize

// errOver ends the reading of a connection that nothing is needed of any more.
var errOver = errors.New("edge: the relay has ended the answer")

// passage carries the bytes of one connection as its relay says.
type passage struct {
	handler *Handler
	request *http.Request
	relay   *relay.Relay
	out     http.ResponseWriter
	control *http.ResponseController

	held    []byte // of the connection, from begun on: what is not decided yet
	begun   int64
	through bool // everything passes
}

// run reads a connection to its end, or until nothing is left to pass. An error says
// that the answer is not whole: the server broke off, or the consumer did.
func (p *passage) run(body io.Reader) error {
	err := p.flush() // the head, even where no byte follows for long
	if err == nil && !p.through {
		err = p.carryOut(p.relay.Begin())
	}
	chunk := make([]byte, chunkSize)
	for err == nil {
		n, ended := body.Read(chunk)
		if n > 0 {
			err = p.take(chunk[:n])
		}
		if err == nil && ended != nil {
			return p.end(ended)
		}
	}
	if errors.Is(err, errOver) {
		return nil
	}
	return err
}

// take passes on what of a chunk, and of what was held before it, is decided.
func (p *passage) take(chunk []byte) error {
	if p.through {
		return errors.Join(p.write(chunk), p.flush())
	}
	p.held = append(p.held, chunk...)
	copy(p.relay.Reserve(len(chunk)), chunk)
	if err := p.carryOut(p.relay.Received(len(chunk))); err != nil {
		return err
	}
	if p.through {
		return nil
	}
	if decided := p.relay.Mark() - p.begun; decided > 0 { // else a long frame would be moved with each piece of it
		p.keep(p.held[decided:])
		p.begun += decided
	}
	return nil
}

// keep holds what is not decided yet, without the room that a long frame took.
func (p *passage) keep(rest []byte) {
	room := p.held[:0]
	if cap(room) > keptRoom && len(rest) <= chunkSize {
		room = nil
	}
	p.held = append(room, rest...)
}

// end tells the relay how the connection ended. What broke stays broken.
func (p *passage) end(how error) error {
	broke := how != io.EOF
	if !p.through {
		if err := p.carryOut(p.relay.Closed(broke)); err != nil && !errors.Is(err, errOver) {
			return err
		}
	}
	if broke {
		return how
	}
	return nil
}

// carryOut does what was ordered, and sends it on its way.
func (p *passage) carryOut(orders []relay.Order) error {
	over := false
	for i := range orders {
		o := &orders[i]
		p.tell(o)
		if err := p.write(p.part(o)); err != nil {
			return err
		}
		over = over || o.Kind == relay.Close
	}
	if err := p.flush(); err != nil || !over {
		return err
	}
	return errOver
}

// tell lets whoever watches know.
func (p *passage) tell(o *relay.Order) {
	switch {
	case o.Kind == relay.Verdict:
		p.handler.options.OnVerdict(p.request, o.Report)
	case o.Fault != nil:
		p.handler.options.OnFault(p.request, o.Fault)
	}
}

// part is what one order has to be written.
func (p *passage) part(o *relay.Order) []byte {
	switch o.Kind {
	case relay.Pass:
		return p.held[o.From-p.begun : o.To-p.begun]
	case relay.Insert:
		return o.Data
	case relay.Through:
		p.through = true
		return p.held[o.From-p.begun:]
	}
	return nil
}

func (p *passage) write(part []byte) error {
	if len(part) == 0 {
		return nil
	}
	_, err := p.out.Write(part)
	return err
}

// flush tells who runs the handler why every stream of it breaks off.
func (p *passage) flush() error {
	err := p.control.Flush()
	if errors.Is(err, http.ErrNotSupported) {
		f := fault.New(fault.InvalidOptions, "a response writer that can flush: give the one that wraps it an Unwrap, see http.ResponseController", "one that cannot")
		p.handler.options.OnFault(p.request, f)
	}
	return err
}
