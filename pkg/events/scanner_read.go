package events

// read turns the values that the walk found into an envelope.
func (s *Scanner) read(text []byte, e *Envelope) Problem {
	if s.again != 0 {
		s.at = s.again
		return DuplicateMember
	}
	if cap(s.scratch) > keepScratch {
		s.scratch = nil
	}
	s.scratch = s.scratch[:0]
	e.ASCII = s.walker.ASCII()
	for f, part := range s.found {
		if part == (span{}) {
			continue
		}
		raw := text[part.from:part.to:part.to]
		if raw[0] == 'n' && field(f) != fieldType {
			continue // null is absent
		}
		if problem := s.value(field(f), raw, e); problem != NoProblem {
			s.at = part.from
			return problem
		}
	}
	return NoProblem
}

func (s *Scanner) value(f field, raw []byte, e *Envelope) (problem Problem) {
	var ok bool
	switch f {
	case fieldType:
		e.Type, s.scratch, ok = readText(s.scratch, raw)
		e.Known = TypeIndex(e.Type)
		problem = BadType
	case fieldSession:
		e.Session, s.scratch, ok = readID(s.scratch, raw)
		problem = BadSession
	case fieldTurn:
		e.Turn, s.scratch, ok = readText(s.scratch, raw)
		problem = BadTurn
	case fieldSeq:
		e.Seq, ok = ParseSeq(raw)
		problem = BadSeq
	case fieldGeneration:
		e.Generation, s.scratch, ok = readGeneration(s.scratch, raw)
		problem = BadGeneration
	}
	if ok {
		return NoProblem
	}
	return problem
}
