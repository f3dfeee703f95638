package events

import "github.com/tidemark-stream/tidemark/internal/rawjson"

// read turns the values that the walk found into an envelope.
func (s *Scanner) read(text []byte, e *Envelope) Problem {
	if s.found.Again != 0 {
		s.at = s.found.Again
		return DuplicateMember
	}
	if cap(s.scratch) > keepScratch {
		s.scratch = nil
	}
	s.scratch = s.scratch[:0]
	e.ASCII = s.walker.ASCII()
	for f := range fieldCount {
		part := &s.found.Field[f]
		if part.To == 0 {
			continue
		}
		raw := text[part.From:part.To:part.To]
		if raw[0] == 'n' && f != fieldType {
			continue // null is absent
		}
		if part.Plain && s.plain(f, raw[1:len(raw)-1], e) {
			continue
		}
		if problem := s.value(f, raw, e); problem != NoProblem {
			s.at = part.From
			return problem
		}
	}
	return NoProblem
}

// value reads what no short cut has taken.
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
		e.Seq, ok = s.readSeq(raw)
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

// plain keeps text that holds no escape. It is false where the text decides.
func (s *Scanner) plain(f field, text []byte, e *Envelope) bool {
	switch f {
	case fieldType:
		e.Type = text
		e.Known = TypeIndex(text)
	case fieldSession:
		e.Session = text
		return len(text) > 0 && !rawjson.Holds(text, 0x7f) && (e.ASCII || !hasControl(text))
	case fieldTurn:
		e.Turn = text
	default:
		return false
	}
	return true
}

// readSeq is [ParseSeq] for the numbering of the stream.
func (s *Scanner) readSeq(raw []byte) (Seq, bool) {
	n, ok := ParseCursorSeq(raw)
	n += s.shift
	return n, ok && n > 0 && n <= MaxSeq
}
