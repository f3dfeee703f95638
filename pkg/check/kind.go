package check

import "github.com/tidemark-stream/tidemark/pkg/fault"

// Severity is what a finding means for whoever relies on the recording.
type Severity uint8

// Severities. Information is worth knowing and no fault; a Warning may be one; an
// Error means that the recording is not what it claims to be.
const (
	Information Severity = iota + 1
	Warning
	Error
)

var severityNames = [...]string{"", "information", "warning", "error"}

// String is the name in JSON, "" for a value that is no severity.
func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return ""
}

// Kind is what was found. The list is closed, and its names are stable.
type Kind uint8

// Kinds. The zero Kind is no finding.
const (
	NoKind Kind = iota
	Hole
	HoleBetween
	Double
	Disorder
	NotAbove
	Overlap
	Takeover
	StaleGeneration
	HeadGeneration
	Short
	LostTail
	Foreign
	IDMismatch
	Unattributed
	Malformed
	TooLarge
	BadControl
	Contradiction
	Refused
	UnknownType
	Unstamped
	Ephemeral
	Cut
	Damaged
	MissingTerminal
	UnfinishedTurn
	PausedTurn
	ClockBack
	PrunedStart
	NothingRecorded
	Limit
	kindEnd
)

// kinds has one row for each: its name, what it means, and the rule that explains
// it. A Refused takes the rule of its own reason instead.
var kinds = [kindEnd]struct {
	name     string
	severity Severity
	rule     fault.ID
	about    string // half a sentence for the docs
}{
	Hole:            {"hole", Error, fault.GapHole, "events are missing between two that follow each other"},
	HoleBetween:     {"hole_between", Warning, fault.GapHole, "neither of two connections holds what lies between them"},
	Double:          {"double", Error, fault.GapDuplicate, "a seq that was read before comes again"},
	Disorder:        {"disorder", Error, fault.GapDisorder, "a seq falls back to one that was passed over"},
	NotAbove:        {"not_above_cursor", Error, fault.GapNotAbove, "an answer begins at or before the cursor it was asked for"},
	Overlap:         {"overlap", Information, fault.GapNotAbove, "a new connection begins again before the end of the one before"},
	Takeover:        {"takeover", Information, fault.GenerationChanged, "the generation steps up: another writer took the log over"},
	StaleGeneration: {"stale_generation", Error, fault.StaleGeneration, "a recorded event falls or returns to an older generation"},
	HeadGeneration:  {"head_generation", Error, fault.EventGeneration, "a replayed event has a generation above that of its head"},
	Short:           {"short", Error, fault.GapShort, "a replay ends below the head that was announced"},
	LostTail:        {"lost_tail", Error, fault.CursorAhead, "a head lies below what was seen before"},
	Foreign:         {"foreign_session", Error, fault.GapForeign, "a recorded event of a session that was not asked for"},
	IDMismatch:      {"id_mismatch", Error, fault.IDMismatch, "the SSE id names another place than the event"},
	Unattributed:    {"unattributed", Error, fault.Unattributed, "a recorded event names no session, and there are several"},
	Malformed:       {"malformed", Error, fault.BadEvent, "a text that is no event"},
	TooLarge:        {"too_large", Error, fault.FrameTooLarge, "a frame or line beyond the limit"},
	BadControl:      {"bad_control", Error, fault.BadControl, "a tidemark.* frame that cannot be read"},
	Contradiction:   {"contradiction", Error, fault.ControlContradicted, "a control frame that the events contradict"},
	Refused:         {"refused", Warning, fault.Gap, "the server refused to continue"},
	UnknownType:     {"unknown_type", Information, fault.UnknownType, "a type that is not in the table; each is reported once"},
	Unstamped:       {"unstamped", Information, fault.Unstamped, "an event of a recorded type without a seq: its append failed"},
	Ephemeral:       {"ephemeral_recorded", Warning, fault.EphemeralRecorded, "an event of a type that is never recorded has a seq, or stands in a log"},
	Cut:             {"cut", Warning, fault.Incomplete, "the stream stops inside a frame"},
	Damaged:         {"damaged", Error, fault.DamagedRecording, "half a line at the end of a log, or a broken HAR"},
	MissingTerminal: {"missing_terminal", Error, fault.Incomplete, "the profile names terminal events, and none came"},
	UnfinishedTurn:  {"unfinished_turn", Warning, fault.Incomplete, "a turn began and neither completed nor failed"},
	PausedTurn:      {"paused_turn", Information, fault.Incomplete, "a turn was paused and did not go on"},
	ClockBack:       {"clock_back", Information, fault.ClockBack, "a record time is earlier than the one before"},
	PrunedStart:     {"pruned_start", Information, fault.GapPruned, "the recording begins after the first event of its session"},
	NothingRecorded: {"nothing_recorded", Warning, fault.NothingRecorded, "there was nothing to check"},
	Limit:           {"limit", Warning, fault.CheckLimit, "more of something than a check keeps track of"},
}

// String is the stable name, "" for NoKind and numbers that are no kind.
func (k Kind) String() string {
	if k < kindEnd {
		return kinds[k].name
	}
	return ""
}

// Severity is that of every finding of the kind; 0 for no kind.
func (k Kind) Severity() Severity {
	if k < kindEnd {
		return kinds[k].severity
	}
	return 0
}

// Rule is the rule of the catalog that explains the kind; 0 for no kind.
func (k Kind) Rule() fault.ID {
	if k < kindEnd {
		return kinds[k].rule
	}
	return 0
}

// About says in half a sentence what the kind is, "" for no kind.
func (k Kind) About() string {
	if k < kindEnd {
		return kinds[k].about
	}
	return ""
}

// Kinds are all there are, in the order in which a report lists them.
func Kinds() []Kind {
	list := make([]Kind, 0, kindEnd-1)
	for k := NoKind + 1; k < kindEnd; k++ {
		list = append(list, k)
	}
	return list
}
