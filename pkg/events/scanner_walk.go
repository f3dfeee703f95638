package events

import "github.com/tidemark-stream/tidemark/internal/rawjson"

// walk checks the text and finds where the members of the envelope stand.
func (s *Scanner) walk(text []byte) Problem {
	w := &s.walker
	w.Reset(text, s.depth-1)
	if w.Space(); w.Peek() != '{' {
		return s.noObject(text)
	}
	if !w.Fields(&s.names, &s.found) {
		return s.stop(w.Problem(), w.At)
	}
	if w.Space(); w.At < len(text) {
		return s.stop(w.Problem(), w.At)
	}
	return NoProblem
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
