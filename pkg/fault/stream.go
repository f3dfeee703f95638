package fault

// ID numbers one rule of the stream catalog. Numbers are stable for good: a
// changed meaning takes a new number, a retired number is never used again.
// The zero ID means "no rule".
//
// An ID is also an error, so that it can be the target of [errors.Is]:
//
//	if errors.Is(err, fault.InvalidCursor) { … }
type ID uint16

// Refusals: a session's stream cannot be continued from its cursor. One ID for
// each reason and one for each detail of it (see [RefusalID]).
const (
	CursorAhead       ID = 100 // the cursor is beyond the head
	GenerationChanged ID = 110 // the log was taken over since
	EventGeneration   ID = 111 // seen on an event, not on the head
	StaleGeneration   ID = 112 // a recorded event of an older generation
	HistoryChanged    ID = 113 // the overlap event is not the one we stand on
	Gap               ID = 120 // the answer does not connect to the cursor
	GapHole           ID = 121
	GapPruned         ID = 122
	GapNotAbove       ID = 123
	GapDuplicate      ID = 124
	GapDisorder       ID = 125
	GapShort          ID = 126
	GapEmpty          ID = 127
	GapBadEvent       ID = 128
	GapForeign        ID = 129
	GapHTTPStatus     ID = 130
	GapWindowExpired  ID = 131
	GapSnapshot       ID = 132
	GapUnproven       ID = 133 // nothing shows that the log is still the one the cursor is of
)

// Faults: something is malformed, misconfigured or out of reach. No verdict on
// the log is given.
const (
	InvalidCursor  ID = 200 // a cursor or token that is none
	InvalidHead    ID = 201 // a head frame that is none
	ForeignSession ID = 202 // a cursor of another session than the one asked for
	InvalidOptions ID = 203 // options that contradict each other
	InvalidProfile ID = 204 // a profile that is none
	// 205 was a page of a log that is none; nothing said it.
	BadEvent       ID = 210 // an event that is none; EventProblem names why
	IDMismatch     ID = 211 // the SSE id contradicts the seq in the payload
	Unattributed   ID = 212 // data that belongs to no session of the stream
	FrameTooLarge  ID = 213 // a frame beyond the limit
	BadControl     ID = 214 // a tidemark.* frame that is malformed
	TooDeep        ID = 216 // JSON nested beyond the limit
	UnknownType    ID = 217 // a type that is not in the table; reported, never refused
	ContentType    ID = 220 // not text/event-stream
	HTTPStatus     ID = 221 // a status that no retry can mend
	Unauthorized   ID = 222 // 401 or 403
	LoadFailed     ID = 230 // the app's load threw or answered nonsense
	LoadLoop       ID = 231 // two loads with nothing applied between them
	SnapshotUnused ID = 232 // a saved snapshot that is damaged or of something else
	SourceFailed   ID = 233 // the bytes that the app gave could not be read, and there are no others
	ConnectionLost ID = 240 // the network broke; retried
	Stalled        ID = 241 // no bytes for the watchdog's time; retried
	Incomplete     ID = 242 // an end without a word that it is over
	AbiMismatch    ID = 250 // shell and module are of different versions
	ModuleExited   ID = 251 // the module died; the shell replaces it
	ModuleLoad     ID = 252 // the module could not be fetched or compiled
	BadHandle      ID = 253 // a handle that is closed or was never open
	BadInput       ID = 254 // a value the call cannot take
	NotReady       ID = 255 // a call before the module was ready
	TooManyNames   ID = 256 // more different types and generations than a link can hold
	UnknownSession ID = 260 // the server has no such session
	LogDamaged     ID = 261 // a stored log that cannot be read back
	Fenced         ID = 262 // an append under a generation that was taken over
	StoreFailed    ID = 263 // a log that could not be read or written just now
)

// Findings that only a check of a recording makes.
const (
	Unstamped           ID = 270 // an event of a recorded type without a seq
	EphemeralRecorded   ID = 271 // an event of a type that is never recorded, recorded
	ClockBack           ID = 272 // record times that go backwards
	ControlContradicted ID = 273 // control frames that the events contradict
	DamagedRecording    ID = 274 // a recording that is cut or broken
	NothingRecorded     ID = 275 // a recording without anything to check
	CheckLimit          ID = 276 // more in a recording than a check keeps track of
)

// Faults of a relay between server and consumer.
const (
	RelayFailed       ID = 280 // a relay gave the connection up, for the reason that is named
	UpstreamDown      ID = 281 // the server behind a relay gave no answer
	UpstreamMoved     ID = 282 // it answered a redirect, or that nothing has changed
	UpstreamStatus    ID = 283 // it turned the request down
	UpstreamNotStream ID = 284 // it answered something else than an event stream
	UpstreamEncoded   ID = 285 // it answered a compressed stream
)

// InternalFault is a bug of ours.
const InternalFault ID = 299

// Faults of durable state: questions to humans, checkpoints, listings.
const (
	BadDecision       ID = 300 // an answer that is none
	UnknownDecision   ID = 301 // an answer to a question that was never asked
	DecisionAnswered  ID = 302 // somebody answered first
	DecisionExpired   ID = 303 // the expiry was recorded first
	StaleDecision     ID = 304 // an answer to an older form of the question, or of another log
	NotTheWriter      ID = 305 // this server does not hold the lease of the log
	BadRequest        ID = 306 // a question that is none
	AnswerFailed      ID = 307 // an answer was sent, and what became of it is not said
	ReadOnly          ID = 308 // this server writes no log at all
	EmptyLog          ID = 310 // nothing to take a checkpoint of
	UnknownCheckpoint ID = 311 // no document, or no record that makes it count
	BadDocument       ID = 312 // a checkpoint document that is none
	DocumentAltered   ID = 313 // the document is not the one that was committed
	PrefixAltered     ID = 314 // the covered part of the log is not what it was
	ReceiptAltered    ID = 315 // record and document contradict each other
	IntentMissing     ID = 316 // the newest message of the operator cannot be found
	SpillMissing      ID = 317 // a body that was stored apart is not there
	BadRecord         ID = 318 // a record that a fold cannot go on without
	LogTooShort       ID = 319 // a log that ends before the record that was asked for
	ScopeHole         ID = 320 // a listing scope that skips a level
	NoAttribution     ID = 321 // a store that was not told whose runs it holds
	BadPageToken      ID = 322 // a page token that is none
	CannotList        ID = 323 // a store that has no listing
)

// Reason is why a cursor cannot be continued. The list is closed.
type Reason uint8

// The three reasons of the contract. The zero Reason means "no refusal".
const (
	NoReason Reason = iota
	ReasonCursorAhead
	ReasonGenerationChanged
	ReasonGap
)

// Detail narrows a [Reason] for logs and people; code decides on the reason.
// The list is closed. The zero Detail means "nothing to add".
type Detail uint8

// Details, in the order of their names in docs/protocol.md.
const (
	NoDetail Detail = iota
	DetailHole
	DetailPruned
	DetailNotAboveCursor
	DetailDuplicate
	DetailDisorder
	DetailShort
	DetailEmpty
	DetailBadEvent
	DetailForeignSession
	DetailEventGeneration
	DetailStaleGeneration
	DetailHistoryChanged
	DetailHTTPStatus
	DetailWindowExpired
	DetailSnapshot
	DetailUnproven
	detailEnd
)

var reasonNames = [...]string{"", "cursor_ahead", "generation_changed", "gap"}

var detailNames = [...]string{
	"", "hole", "pruned", "not_above_cursor", "duplicate", "disorder", "short",
	"empty", "bad_event", "foreign_session", "event_generation",
	"stale_generation", "history_changed", "http_status", "window_expired",
	"snapshot", "unproven",
}

// detailRows has the rule of each detail, and the one reason that it narrows.
var detailRows = [detailEnd]struct {
	id     ID
	reason Reason
}{
	DetailHole:            {GapHole, ReasonGap},
	DetailPruned:          {GapPruned, ReasonGap},
	DetailNotAboveCursor:  {GapNotAbove, ReasonGap},
	DetailDuplicate:       {GapDuplicate, ReasonGap},
	DetailDisorder:        {GapDisorder, ReasonGap},
	DetailShort:           {GapShort, ReasonGap},
	DetailEmpty:           {GapEmpty, ReasonGap},
	DetailBadEvent:        {GapBadEvent, ReasonGap},
	DetailForeignSession:  {GapForeign, ReasonGap},
	DetailEventGeneration: {EventGeneration, ReasonGenerationChanged},
	DetailStaleGeneration: {StaleGeneration, ReasonGenerationChanged},
	DetailHistoryChanged:  {HistoryChanged, ReasonGenerationChanged},
	DetailHTTPStatus:      {GapHTTPStatus, ReasonGap},
	DetailWindowExpired:   {GapWindowExpired, ReasonGap},
	DetailSnapshot:        {GapSnapshot, ReasonGap},
	DetailUnproven:        {GapUnproven, ReasonGap},
}

var reasonIDs = [...]ID{0, CursorAhead, GenerationChanged, Gap}

// String is the name on the wire, "" for the zero value.
//
//go:noinline
func (r Reason) String() string {
	if int(r) < len(reasonNames) {
		return reasonNames[r]
	}
	return ""
}

// OnTheWay reports a detail of what came over a connection, event by event: another
// connection can bring something else. The others are of the log, or of an answer as a
// whole.
func (d Detail) OnTheWay() bool {
	return d >= DetailHole && d <= DetailForeignSession && d != DetailPruned && d != DetailEmpty
}

// String is the name on the wire, "" for the zero value.
//
//go:noinline
func (d Detail) String() string {
	if int(d) < len(detailNames) {
		return detailNames[d]
	}
	return ""
}

// ParseReason reads a wire name. Unknown names answer NoReason, false.
func ParseReason(name []byte) (Reason, bool) {
	for i, n := range reasonNames {
		if i > 0 && string(name) == n {
			return Reason(i), true
		}
	}
	return NoReason, false
}

// ParseDetail reads a wire name. Unknown names answer NoDetail, false.
func ParseDetail(name []byte) (Detail, bool) {
	for i, n := range detailNames {
		if i > 0 && string(name) == n {
			return Detail(i), true
		}
	}
	return NoDetail, false
}

// Reason is the one reason that a detail narrows, NoReason for the zero value.
func (d Detail) Reason() Reason {
	if d < detailEnd {
		return detailRows[d].reason
	}
	return NoReason
}

// RefusalID is the catalog rule of a refusal: that of its detail when the detail
// belongs to the reason, else that of the reason. Without a reason it is 0.
func RefusalID(r Reason, d Detail) ID {
	if r != NoReason && d.Reason() == r {
		return detailRows[d].id
	}
	if int(r) < len(reasonIDs) {
		return reasonIDs[r]
	}
	return 0
}
