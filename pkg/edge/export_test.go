package edge

import "net/http"

// Room is how many bytes of its connection an answer has room for, once it has taken
// these chunks.
func (h *Handler) Room(w http.ResponseWriter, r *http.Request, chunks ...string) (int, error) {
	machine, f := h.open(r)
	if f != nil {
		return 0, f
	}
	p := &passage{handler: h, request: r, relay: machine, out: w, control: http.NewResponseController(w)}
	for _, chunk := range chunks {
		if err := p.take([]byte(chunk)); err != nil {
			return 0, err
		}
	}
	return cap(p.held), nil
}
