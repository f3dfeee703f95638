package check

import (
	"strconv"

	"github.com/tidemark-stream/tidemark/pkg/events"
)

const halfLine = "the last line is only half a record"

func tooLongLine(limit int) string {
	return "a line of more than " + grouped(int64(limit)) + " bytes, which was passed over"
}

func tooLargeFrame(limit int) string {
	return "a frame of more than " + grouped(int64(limit)) + " bytes; nothing behind it on this connection could be checked"
}

// Says is one sentence about the finding, without its place. f has the numbers of
// the wire, see [Report].
func (f *Finding) says() string {
	if say := sayings[f.Kind]; say != nil {
		return say(f)
	}
	return f.What
}

// sayings has the kinds whose sentence is more than what they carry in words.
var sayings = [kindEnd]func(f *Finding) string{
	Hole: func(f *Finding) string {
		return "seq " + span2(f.Expected, f.Found-1) + " " + isAre(f.Count) + " missing: " + number(f.Found) + " comes next"
	},
	HoleBetween: func(f *Finding) string {
		return "seq " + span2(f.Expected, f.Found-1) + " " + isAre(f.Count) + " in neither of two connections"
	},
	Double: func(f *Finding) string {
		return "seq " + span2(f.Found, f.Through) + " " + comes(f.Count) + " again where " + number(f.Expected) + " is expected" + otherWriter(f)
	},
	Disorder: func(f *Finding) string {
		return "seq " + span2(f.Found, f.Through) + " " + comes(f.Count) + " late, where " + number(f.Expected) + " is expected" + otherWriter(f)
	},
	NotAbove: func(f *Finding) string {
		return "the answer begins at seq " + number(f.Found) + ", the cursor asked for " + number(f.Expected)
	},
	Overlap: func(f *Finding) string {
		return "a new connection begins at seq " + number(f.Found) + " again; the one before had come to " + number(f.Expected-1)
	},
	Takeover: func(f *Finding) string {
		return "generation " + string(f.Saved) + " gives way to " + string(f.Generation) + " at seq " + number(f.Found)
	},
	StaleGeneration: func(f *Finding) string {
		return "seq " + number(f.Found) + " is of generation " + string(f.Generation) + ", after " + string(f.Saved) + " had begun"
	},
	HeadGeneration: func(f *Finding) string {
		return "seq " + number(f.Found) + " is of generation " + string(f.Generation) + ", its head of " + string(f.Saved)
	},
	Short: func(f *Finding) string {
		return "the replay ends at seq " + number(f.Found) + ", its head stands at " + number(f.Through)
	},
	LostTail: func(f *Finding) string {
		return "the head stands at seq " + number(f.Found) + ", but " + number(f.Expected) + " was there before"
	},
	Foreign: func(f *Finding) string {
		return "seq " + number(f.Found) + " belongs to a session that no head announced"
	},
	IDMismatch: func(f *Finding) string {
		return "the SSE id names seq " + number(f.Found) + " of " + quoted(f.What) + ", the event is seq " + number(f.Expected)
	},
	Unattributed: func(f *Finding) string {
		return "seq " + number(f.Found) + " names no session, and there are several"
	},
	Malformed: func(f *Finding) string {
		return f.What + ", at byte " + strconv.Itoa(f.Place.At) + " of the event"
	},
	BadControl: func(f *Finding) string { return "the data of " + f.What + " cannot be read" },
	Refused:    func(f *Finding) string { return "the server refused to continue: " + f.What },
	UnknownType: func(f *Finding) string {
		if f.Type == "" {
			return "an event without a type"
		}
		return "the type " + quoted(f.Type) + " is not in the table"
	},
	Unstamped: func(f *Finding) string { return f.Type + " has no seq, though its type is recorded" },
	Ephemeral: func(f *Finding) string {
		if f.Found == 0 {
			return f.Type + " stands in a log, though its type is never recorded"
		}
		return f.Type + " has seq " + number(f.Found) + ", though its type is never recorded"
	},
	Cut:             func(*Finding) string { return "the stream stops inside a frame, which is lost" },
	MissingTerminal: func(f *Finding) string { return "the stream stops without its terminal event: " + f.What },
	UnfinishedTurn:  func(f *Finding) string { return "turn " + quoted(f.Turn) + " neither completed nor failed" },
	PausedTurn:      func(f *Finding) string { return "turn " + quoted(f.Turn) + " was paused and has not gone on" },
	ClockBack: func(f *Finding) string {
		return "seq " + number(f.Found) + " is dated " + grouped(f.Count) + " ms before the one before it"
	},
	PrunedStart: func(f *Finding) string {
		return "it begins at seq " + number(f.Found) + "; what came before is not in it"
	},
	Limit: func(f *Finding) string { return "more " + f.What + " than a check keeps track of" },
}

func number(seq events.Seq) string { return strconv.FormatUint(uint64(seq), 10) }

// span2 is a range of seqs, or the one that it is.
func span2(from, to events.Seq) string {
	if to <= from {
		return number(from)
	}
	return number(from) + "–" + number(to)
}

func isAre(count int64) string {
	if count == 1 {
		return "is"
	}
	return "are"
}

func comes(count int64) string {
	if count == 1 {
		return "comes"
	}
	return "come"
}

// otherWriter tells the generation of a repeat when it is another one.
func otherWriter(f *Finding) string {
	if f.Generation == "" || f.Generation == f.Saved {
		return ""
	}
	return ", under generation " + string(f.Generation)
}

func quoted(s string) string {
	if s == "" {
		return "no session"
	}
	return "“" + s + "”"
}

// grouped writes a count with a comma between thousands.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// counted is a count with its noun, in the plural unless it is one.
func counted(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return grouped(n) + " " + noun
}
