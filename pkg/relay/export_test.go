package relay

// Moved is moved, for the tests.
func (p *Place) Moved(since *Place) bool { return p.moved(since) }
