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
func (s *Scanner) value(f field, raw []byte, e *Envelope) Problem {
	var text []byte
	var ok bool
	switch f {
	case fieldSeq:
		e.Seq, ok = s.readSeq(raw)
	case fieldSession:
		text, ok = readID(&s.scratch, raw)
	case fieldGeneration:
		text, ok = readGeneration(&s.scratch, raw)
	default:
		text, ok = readText(&s.scratch, raw, rawjson.AppendText)
	}
	if !ok {
		return fieldProblems[f]
	}
	e.set(f, text)
	return NoProblem
}

// fieldProblems are what is wrong with a field that cannot be read.
var fieldProblems = [fieldCount]Problem{
	fieldType: BadType, fieldSession: BadSession, fieldTurn: BadTurn, fieldSeq: BadSeq, fieldGeneration: BadGeneration,
}

// set keeps the text of a field that is one.
func (e *Envelope) set(f field, text []byte) {
	switch f {
	case fieldType:
		e.Type, e.Known = text, TypeIndex(text)
	case fieldSession:
		e.Session = text
	case fieldTurn:
		e.Turn = text
	case fieldGeneration:
		e.Generation = text
	}
}

// plain keeps text that holds no escape. It is false where the text decides.
func (s *Scanner) plain(f field, text []byte, e *Envelope) bool {
	switch f {
	case fieldSeq, fieldGeneration:
		return false
	case fieldSession:
		if len(text) == 0 || rawjson.Holds(text, 0x7f) || !e.ASCII && hasControl(text) {
			return false
		}
	}
	e.set(f, text)
	return true
}

// readSeq is [ParseSeq] for the numbering of the stream.
func (s *Scanner) readSeq(raw []byte) (Seq, bool) {
	n, ok := ParseCursorSeq(raw)
	n += s.shift
	return n, ok && n > 0 && n <= MaxSeq
}
