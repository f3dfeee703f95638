package events

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
)

// Scanner reads the envelope of events from their JSON text, and checks all of
// the text while it does: what it accepts is one object that JSON.parse and
// encoding/json read without complaint, in UTF-8, with an envelope that can be
// relied on. Members may stand in any order and be spelled with escapes; those
// that are not the envelope's are checked and left alone.
//
// A Scanner allocates nothing per event, keeps the last text and scratch space
// between events, and belongs to one goroutine. Make it with [NewScanner].
type Scanner struct {
	names   rawjson.Names
	depth   int
	shift   Seq // 1 on a stream that numbers from 0
	quick   rawjson.Quick
	walker  rawjson.Walker
	found   rawjson.Fields
	at      int    // offset of the problem
	rare    *byte  // where the text begins that Lead could not tell, so that Scan does not try again
	scratch []byte // decoded values
}

// field is a member of the envelope.
type field uint8

const (
	fieldType field = iota
	fieldSession
	fieldTurn
	fieldSeq
	fieldGeneration
	fieldCount
)

// keepScratch is how much scratch space outlives an event, in bytes.
const keepScratch = 1 << 16

// NewScanner makes a scanner for an envelope with these member names.
func NewScanner(m Members) *Scanner {
	s := &Scanner{depth: MaxDepth}
	for _, name := range [fieldCount]string{m.Type, m.Session, m.Turn, m.Seq, m.Generation} {
		s.names.Add(name)
	}
	s.names.Strict(int(fieldSession))
	s.names.Strict(int(fieldGeneration))
	return s
}

// SetMaxDepth sets the limit of nesting, in levels; the event itself is one, so
// 1 allows no array or object inside it. 0 or less is [MaxDepth].
func (s *Scanner) SetMaxDepth(levels int) {
	if levels <= 0 {
		levels = MaxDepth
	}
	s.depth = levels
}

// SetBase sets the first seq on the wire, 0 or 1; without it that is 1. Envelopes
// count from 1 whatever it is.
func (s *Scanner) SetBase(first Seq) { s.shift = 1 - min(first, 1) }

// Offset is the place of the last problem, in bytes from the start of the text.
// It is the length of the text when that ended too early, and 0 without one.
func (s *Scanner) Offset() int { return s.at }

// Scan reads the envelope of one event into e. With a problem e is empty.
//
// Problems of the text as a whole come first ([NotJSON], [InvalidUTF8],
// [TooDeep], [NotObject]), then [DuplicateMember], then those of the members in
// the order of [Envelope]. The rules are.
func (s *Scanner) Scan(text []byte, e *Envelope) Problem {
	s.at = 0
	if rawjson.Quickly && (s.rare == nil || s.rare != unsafe.SliceData(text)) {
		if n := s.Lead(text, e); n > 0 && n == len(text) {
			return NoProblem
		}
	}
	return s.judge(text, e)
}

// Lead is [Scanner.Scan] for the event that text begins with, when that has a line
// of its own and more lines may follow: it answers how long the event is, without
// the line break and perhaps without white space before it. What stands behind the
// event on its line is the caller's to check.
//
// 0: not told at first sight; e is worthless then, and Scan says more once the end
// of the event is known.
func (s *Scanner) Lead(text []byte, e *Envelope) int {
	s.rare = unsafe.SliceData(text)
	n := rawjson.QuickFields(text, s.depth-1, &s.names, &s.quick)
	q := &s.quick
	if n == 0 || q.Text&^textFields|q.Digits&^digitFields|q.Null&^nullFields|q.Other|q.Foreign != 0 {
		return 0
	}
	var seq Seq
	if q.Digits>>fieldSeq&1 != 0 {
		var ok bool
		if seq, ok = s.readSeq(q.Value(text, q.Digits, int(fieldSeq))); !ok {
			return 0
		}
	}
	// Member by member: a whole Envelope would be made aside and then copied.
	e.Type = q.Value(text, q.Text, int(fieldType))
	e.Session = q.Value(text, q.Text, int(fieldSession))
	e.Turn = q.Value(text, q.Text, int(fieldTurn))
	e.Generation = q.Value(text, q.Text|q.Digits, int(fieldGeneration))
	e.Seq, e.Known, e.ASCII, e.At = seq, TypeIndex(e.Type), !q.High, 0
	s.at, s.rare = 0, nil
	return n
}

// judge scans what can not be read at first sight.
func (s *Scanner) judge(text []byte, e *Envelope) Problem {
	*e = Envelope{Known: -1}
	s.found = rawjson.Fields{}
	problem := s.walk(text)
	if problem == NoProblem {
		problem = s.read(text, e)
	}
	if problem != NoProblem {
		*e = Envelope{Known: -1, At: s.at}
	}
	return problem
}

// Which fields may have which form, as they stand.
const (
	textFields  = 1<<fieldType | 1<<fieldSession | 1<<fieldTurn | 1<<fieldGeneration
	digitFields = 1<<fieldSeq | 1<<fieldGeneration
	nullFields  = 1<<fieldSession | 1<<fieldTurn | 1<<fieldSeq | 1<<fieldGeneration
)
