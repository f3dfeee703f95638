package events

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

// found is an envelope in a form that compares.
type found struct {
	Type, Session, Turn, Generation string
	Seq                             Seq
}

func scan(text string) (found, Problem, int) {
	s, e := NewScanner(SessionMembers), Envelope{}
	problem := s.Scan([]byte(text), &e)
	return found{string(e.Type), string(e.Session), string(e.Turn), string(e.Generation), e.Seq}, problem, s.Offset()
}

// Names to the letter, null for absent, doubles outside the envelope.
func TestScanReadsTheEnvelope(t *testing.T) {
	for text, want := range map[string]found{
		`{}`: {}, " \t\r\n{ } ": {},
		`{"type":"text_delta","sessionId":"s1","turnId":"t1","seq":7,"generation":3}`:                      {"text_delta", "s1", "t1", "3", 7},
		`{"generation":3,"seq":7,"turnId":"t1","sessionId":"s1","type":"text_delta"}`:                      {"text_delta", "s1", "t1", "3", 7},
		" {\n\t\"seq\" : 7 ,\r\n \"type\" : \"a\" } ":                                                      {Type: "a", Seq: 7},
		`{"s\u0065q":7,"\u0074ype":"a\u0062","session\u0049d":"s:\u00e9\ud83d\ude00","turnId":"\"\\\/\n"}`: {"ab", "s:é😀", "\"\\/\n", "", 7},
		`{"seq":1}`: {Seq: 1}, `{"seq":9007199254740991}`: {Seq: MaxSeq},
		`{"generation":0}`: {Generation: "0"}, `{"generation":"7"}`: {Generation: "7"}, `{"generation":"a@b é"}`: {Generation: "a@b é"},
		`{"generation":123456789012345678901234567890}`:                                         {Generation: "123456789012345678901234567890"},
		`{"seq":null,"generation":null,"sessionId":null,"turnId":null}`:                         {},
		`{"Seq":"x","SEQ":-1,"Type":0,"sessionid":1,"seq ":0,"se":0,"seqs":0,"":"","gen":true}`: {},
		`{"data":{"seq":"x","type":1,"seq":2,"a":[{"seq":3}]},"seq":7}`:                         {Seq: 7},
		`{"a":1,"a":2,"a":{"a":1,"a":2},"seq":7}`:                                               {Seq: 7},
		`{"a":"\ud83d","b":"\udead\u0000","seq":7}`:                                             {Seq: 7},
		`{"type":"","turnId":""}`:                                                               {},
		`{"type":"\ud800\u0001","turnId":"\u0001\ud800"}`:                                       {Type: "\ufffd\x01", Turn: "\x01\ufffd"},
		`{"a":"}","b":"\"seq\":9","c":"\\","seq":7}`:                                            {Seq: 7},
		`{"a":[1,-2.5e+3,true,false,null,"",{},[],[[{"b":[]}]]],"seq":7}`:                       {Seq: 7},
	} {
		got, problem, at := scan(text)
		if problem != NoProblem || got != want || at != 0 {
			t.Errorf("%s: %+v, %v at %d, want %+v", text, got, problem, at, want)
		}
	}
}

// What makes an event malformed.
func TestScanNamesTheProblem(t *testing.T) {
	for _, c := range []struct {
		text    string
		problem Problem
		at      int
	}{
		{``, NotJSON, 0}, {` `, NotJSON, 1}, {`{`, NotJSON, 1}, {`{]`, NotJSON, 1}, {`{"a":1,}`, NotJSON, 7}, {`{} {}`, NotJSON, 3}, {`{}x`, NotJSON, 2},
		{`{"seq":01}`, NotJSON, 8}, {`{"seq":+1}`, NotJSON, 7}, {`{"seq":1.}`, NotJSON, 9}, {`{"seq":1 2}`, NotJSON, 9}, {`{"seq":.5}`, NotJSON, 7},
		{`{"a":"` + "\n" + `"}`, NotJSON, 6}, {`{"a":"\x"}`, NotJSON, 7}, {`{"type":"a","seq":1`, NotJSON, 19}, {`[1`, NotJSON, 2}, {`nul`, NotJSON, 3}, {`{'a':1}`, NotJSON, 1},
		{"\ufeff{}", NotJSON, 0}, {"{\"a\":NaN}", NotJSON, 5},
		{`1`, NotObject, 0}, {` [{"type":"a"}]`, NotObject, 1}, {`"text"`, NotObject, 0}, {`null`, NotObject, 0}, {`[[]]`, NotObject, 0},
		{"{\"a\":\"\xff\"}", InvalidUTF8, 6}, {"{\"\xc3\":1}", InvalidUTF8, 2}, {"{\"a\":\"é\xed\xa0\x80\"}", InvalidUTF8, 8}, {"{}\xff", InvalidUTF8, 2}, {"[\xff]", InvalidUTF8, 1},
		{`{"a":[[[]]]}`, TooDeep, 7}, {`{"a":[{"b":{}}]}`, TooDeep, 11}, {`[[[[]]]]`, TooDeep, 3},
		{`{"seq":1,"seq":1}`, DuplicateMember, 9}, {`{"seq":1,"s\u0065q":1}`, DuplicateMember, 9}, {`{"\u0074ype":"a","x":0,"type":"a"}`, DuplicateMember, 23},
		{`{"seq":null,"seq":1}`, DuplicateMember, 12}, {`{"generation":1,"generation":1,"generation":1}`, DuplicateMember, 16}, {`{"sessionId":"a","sessionId":"a"}`, DuplicateMember, 17}, {`{"turnId":"a","turnId":"a"}`, DuplicateMember, 14},
		{`{"type":null}`, BadType, 8}, {`{"type":1}`, BadType, 8}, {`{"type":["a"]}`, BadType, 8}, {`{"type":true}`, BadType, 8}, {`{"type":{}}`, BadType, 8},
		{`{"sessionId":""}`, BadSession, 13}, {`{"sessionId":7}`, BadSession, 13}, {`{"sessionId":{}}`, BadSession, 13}, {`{"sessionId":"a\u0000"}`, BadSession, 13}, {`{"sessionId":"a\n"}`, BadSession, 13},
		{"{\"sessionId\":\"a\x7f\"}", BadSession, 13}, {"{\"sessionId\":\"a\u0085\"}", BadSession, 13}, {`{"sessionId":"\u009f"}`, BadSession, 13}, {`{"sessionId":"\ud83d"}`, BadSession, 13}, {`{"sessionId":false}`, BadSession, 13},
		{`{"seq":0}`, BadSeq, 7}, {`{"seq":-1}`, BadSeq, 7}, {`{"seq":1.0}`, BadSeq, 7}, {`{"seq":1e3}`, BadSeq, 7}, {`{"seq":"5"}`, BadSeq, 7}, {`{"seq":9007199254740992}`, BadSeq, 7},
		{`{"seq":9007199254740993}`, BadSeq, 7}, {`{"seq":99999999999999999999999}`, BadSeq, 7}, {`{"seq":true}`, BadSeq, 7}, {`{"seq":[1]}`, BadSeq, 7}, {`{"seq":-0}`, BadSeq, 7},
		{`{"generation":""}`, BadGeneration, 14}, {`{"generation":-1}`, BadGeneration, 14}, {`{"generation":1.0}`, BadGeneration, 14}, {`{"generation":1e3}`, BadGeneration, 14}, {`{"generation":false}`, BadGeneration, 14},
		{`{"generation":"\ud800"}`, BadGeneration, 14}, {`{"generation":"\u0007"}`, BadGeneration, 14}, {`{"generation":[]}`, BadGeneration, 14},
		{`{"turnId":7}`, BadTurn, 10}, {`{"turnId":{}}`, BadTurn, 10}, {`{"turnId":true}`, BadTurn, 10},
		// The text as a whole comes first, then doubles, then values.
		{`{"seq":0,"a":}`, NotJSON, 13}, {`{"seq":0,"type":1,"type":1}`, DuplicateMember, 18}, {`{"seq":0,"type":1}`, BadType, 16},
	} {
		s, e := NewScanner(SessionMembers), Envelope{Seq: 9, Type: []byte("old")}
		s.SetMaxDepth(3)
		problem := s.Scan([]byte(c.text), &e)
		if problem != c.problem || s.Offset() != c.at {
			t.Errorf("%q: %v at %d, want %v at %d", c.text, problem, s.Offset(), c.problem, c.at)
		}
		if e.Type != nil || e.Seq != 0 || e.Session != nil || e.Known != -1 || e.ASCII {
			t.Errorf("%q: a malformed event leaves %+v", c.text, e)
		}
	}
}

func TestScanKnowsTypes(t *testing.T) {
	s, e := NewScanner(SessionMembers), Envelope{}
	for text, want := range map[string]int{
		`{"type":"text_delta"}`: TypeIndex([]byte("text_delta")), `{"type":"text\u005fdelta"}`: TypeIndex([]byte("text_delta")),
		`{"type":"Text_delta"}`: -1, `{"type":"made_up"}`: -1, `{}`: -1, `{"type":""}`: -1,
	} {
		if s.Scan([]byte(text), &e) != NoProblem || e.Known != want {
			t.Errorf("%s: %d, want %d", text, e.Known, want)
		}
	}
	if TypeIndex([]byte("text_delta")) < 0 {
		t.Error("text_delta is not in the table")
	}
}

func TestScanTellsASCII(t *testing.T) {
	s, e := NewScanner(SessionMembers), Envelope{}
	for text, want := range map[string]bool{
		`{}`: true, `{"a":"\u00e9","seq":1}`: true, `{"a":"é"}`: false, `{"é":1}`: false, `{"a":["123456789é"]}`: false, `{"seq":1,"a":"b"}`: true,
	} {
		if s.Scan([]byte(text), &e) != NoProblem || e.ASCII != want {
			t.Errorf("%s: ASCII is %v", text, e.ASCII)
		}
	}
}

// Whatever an envelope held before, a scan leaves what it would leave in an empty one.
func TestScanFillsAllOfTheEnvelope(t *testing.T) {
	old := Envelope{Type: []byte("t"), Session: []byte("s"), Turn: []byte("u"), Seq: 3, Generation: []byte("g"), Known: 7, ASCII: true, At: 5}
	for i := range reflect.ValueOf(old).NumField() {
		if reflect.ValueOf(old).Field(i).IsZero() {
			t.Fatalf("%s is not filled before the scan", reflect.TypeOf(old).Field(i).Name)
		}
	}
	s := NewScanner(SessionMembers)
	for _, text := range []string{`{}`, `{"é":"é"}`, `{"a":"é"}`, `{"seq":1,"turnId":null}`, `{"type":"text_delta","generation":"a"}`, `{"seq":0}`, `{`} {
		into, empty := old, Envelope{}
		s.Scan([]byte(text), &into)
		s.Scan([]byte(text), &empty)
		if !reflect.DeepEqual(into, empty) {
			t.Errorf("%s: %+v, want %+v", text, into, empty)
		}
	}
}

func TestScanOtherEnvelopes(t *testing.T) {
	text := []byte(`{"type":"a","runId":"r","sessionId":"s","turnId":"t","seq":1,"gen":4,"generation":5}`)
	for name, c := range map[string]struct {
		members                   Members
		session, turn, generation string
	}{
		"record":  {RecordMembers, "s", "t", "4"},
		"run":     {RunMembers, "r", "", "5"},
		"nothing": {Members{}, "", "", ""},
		"long":    {Members{Session: strings.Repeat("x", 300), Turn: "type"}, "", "a", ""},
	} {
		var e Envelope
		if p := NewScanner(c.members).Scan(text, &e); p != NoProblem {
			t.Fatal(name, p)
		}
		if string(e.Session) != c.session || string(e.Turn) != c.turn || string(e.Generation) != c.generation {
			t.Errorf("%s: %q %q %q", name, e.Session, e.Turn, e.Generation)
		}
		if c.members.Type == "" && e.Type != nil {
			t.Errorf("%s: type %q", name, e.Type)
		}
	}
}

func TestScanDepth(t *testing.T) {
	for _, c := range [][2]int{{1, 1}, {2, 2}, {MaxDepth, 0}, {MaxDepth, -1}, {600, 600}} {
		depth, limit := c[0], c[1]
		s, e := NewScanner(SessionMembers), Envelope{}
		s.SetMaxDepth(limit)
		text := `{"a":` + strings.Repeat("[", depth-1) + "0" + strings.Repeat("]", depth-1) + `,"seq":1}`
		if p := s.Scan([]byte(text), &e); p != NoProblem || e.Seq != 1 {
			t.Errorf("%d levels of %d: %v at %d", depth, limit, p, s.Offset())
		}
		text = `{"a":` + strings.Repeat("[", depth) + "0" + strings.Repeat("]", depth) + `,"seq":1}`
		if p := s.Scan([]byte(text), &e); p != TooDeep || s.Offset() != 4+depth {
			t.Errorf("%d levels and one more: %v at %d", depth, p, s.Offset())
		}
	}
	if _, p, at := scan(`{"a":` + strings.Repeat("[", 1_000_000)); p != TooDeep || at != 4+MaxDepth {
		t.Errorf("a million brackets: %v at %d", p, at)
	}
	if _, p, at := scan(strings.Repeat(`{"a":`, 1_000_000)); p != TooDeep || at != 5*MaxDepth {
		t.Errorf("a million objects: %v at %d", p, at)
	}
}

func TestScanNeverAcceptsAPart(t *testing.T) {
	s, e := NewScanner(SessionMembers), Envelope{}
	for _, text := range traffic() {
		if p := s.Scan(text, &e); p != NoProblem {
			t.Fatalf("%s: %v at %d", text, p, s.Offset())
		}
		for i := range text {
			if p := s.Scan(text[:i], &e); p != NotJSON && p != InvalidUTF8 {
				t.Fatalf("the first %d bytes of %s: %v", i, text, p)
			}
		}
	}
}

func TestScanFindsBadUTF8Anywhere(t *testing.T) {
	s, e := NewScanner(SessionMembers), Envelope{}
	good := []byte(`{"type":"message_completed","sessionId":"s1","a":["0123456789abcdefghijklm",{"b":"é"}]}`)
	for i := range good {
		for _, bad := range []string{"\xff", "\x80", "\xc3", "\xed\xa0\x80", "\xf0\x9f\x98"} {
			text := append(append(bytes.Clone(good[:i]), bad...), good[i:]...)
			if p := s.Scan(text, &e); p == NoProblem {
				t.Fatalf("%q passes", text)
			} else if inString := bytes.Count(good[:i], []byte(`"`))%2 == 1; inString && p != InvalidUTF8 {
				t.Fatalf("%q: %v", text, p)
			}
		}
	}
}

// A line of many megabytes takes one pass: as strings, as elements, as escapes,
// as members, and as text beyond ASCII.
func TestScanLongLines(t *testing.T) {
	const size = 8 << 20
	for _, part := range []string{"x", `\n`, "é", `","`, `",["`, `\ud83d\ude00`} {
		open := strings.Count(part, "[")
		body := strings.Repeat(part, size/len(part)/(1+open*50_000))
		text := `{"a":["` + body + `"` + strings.Repeat("]", open*strings.Count(body, "[")) + `],"seq":5}`
		if got, p, at := scan(text); p != NoProblem || got.Seq != 5 {
			t.Errorf("%q over and over: %v at %d", part, p, at)
		}
		if _, p, at := scan(text[:len(text)-1]); p != NotJSON || at != len(text)-1 {
			t.Errorf("%q, cut: %v at %d", part, p, at)
		}
	}
}

func TestScanAllocatesNothing(t *testing.T) {
	texts := append(traffic(), []byte(`{"s\u0065q":1,"sessionId":"\u0061é","type":"\u0061","turnId":"é","a":`+strings.Repeat("[", 500)+strings.Repeat("]", 500)+`}`))
	texts = append(texts, []byte(`{"a":`), []byte(`{"seq":0}`), []byte("{\"\xff\":1}"), []byte(`[]`))
	s, e := NewScanner(SessionMembers), Envelope{}
	if n := testing.AllocsPerRun(20, func() {
		for _, text := range texts {
			s.Scan(text, &e)
		}
	}); n != 0 {
		t.Errorf("%v allocations in %d events", n, len(texts))
	}
}

func TestScanForgetsHugeNames(t *testing.T) {
	s, e := NewScanner(SessionMembers), Envelope{}
	text := []byte(`{"type":"\u0061` + strings.Repeat("x", 1<<20) + `"}`)
	if p := s.Scan(text, &e); p != NoProblem || len(e.Type) != 1<<20+1 {
		t.Fatal(p, len(e.Type))
	}
	if p := s.Scan([]byte(`{"type":"\u0061"}`), &e); p != NoProblem || string(e.Type) != "a" || cap(s.scratch) > keepScratch {
		t.Error(p, string(e.Type), cap(s.scratch))
	}
}
