package relay

// Told is how many verdicts of pages are kept.
func (r *Relay) Told() int { return cap(r.pages.told) }

// Now is the place of a lane as it is, whatever was ordered to be kept of it; "" where
// the lane has no name, or the relay reads pages.
func (r *Relay) Now(lane int) string {
	stood := r.link.Stands(lane)
	if stood.Session == "" || r.paging {
		return ""
	}
	p := Place{Stood: stood, Cursor: *r.link.Place(lane), Placed: r.link.Placed(lane), Joins: r.options.Joins}
	return string(p.AppendJSON(nil))
}
