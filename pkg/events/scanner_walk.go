package events

import "github.com/tidemark-stream/tidemark/internal/rawjson"

// walk checks the text and finds where the members of the envelope stand.
func (s *Scanner) walk(text []byte) Problem {
	w := &s.walker
	w.Reset(text, s.depth-1)
	if w.Space(); !w.Byte('{') {
		return s.noObject(text)
	}
	for more := w.Peek() != '}'; more; more = w.Byte(',') {
		if !s.member(text) {
			return s.stop(w.Problem(), w.At)
		}
	}
	if w.Byte('}') && w.At == len(text) {
		return NoProblem
	}
	return s.stop(w.Problem(), w.At)
}

// member passes one member and keeps its place if it is the envelope's.
func (s *Scanner) member(text []byte) bool {
	w := &s.walker
	name := w.At
	if !w.String() {
		return false
	}
	f := s.names.find(text[name:w.At], &s.scratch)
	if w.Space(); !w.Byte(':') {
		return false
	}
	value := w.At
	if !w.Skip() {
		return false
	}
	if f < fieldCount {
		s.keep(f, name, span{value, w.At})
	}
	w.Space()
	return true
}

func (s *Scanner) keep(f field, name int, value span) {
	if s.found[f] != (span{}) && s.again == 0 {
		s.again = name
	}
	s.found[f] = value
}

// noObject tells other JSON from what is none.
func (s *Scanner) noObject(text []byte) Problem {
	start := s.walker.At
	if problem, at := rawjson.Check(text, s.depth); problem != rawjson.OK {
		return s.stop(problem, at)
	}
	s.at = start
	return NotObject
}

func (s *Scanner) stop(problem rawjson.Problem, at int) Problem {
	s.at = at
	switch problem {
	case rawjson.UTF8:
		return InvalidUTF8
	case rawjson.Depth:
		return TooDeep
	}
	return NotJSON
}
