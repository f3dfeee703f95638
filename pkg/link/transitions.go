package link

// Table is one of the two tables that a link goes by, for people: docs/states.md is
// made of it.
type Table struct {
	States []Place
	Inputs []string
	Rows   []Transition // each that can be; one without a row for its state and input is passed over
	Faults []Transition // inputs without a cell, without To
}

// Place is a state of the connection or a phase of a session.
type Place struct{ Name, Meaning string }

// Transition is what an input leads to once all that it brought is drained.
type Transition struct {
	From  string
	Input string
	To    string
	When  string // under which condition, or what is done; "" for always
}

// ConnectionTable has what each input does to the connection.
func ConnectionTable() Table {
	t := Table{Inputs: inputNames[:]}
	for from := range stateCount {
		t.States = append(t.States, Place{stateNames[from], stateWords[from]})
		for in := range input(inputCount) {
			t.Rows = append(t.Rows, rowsOf(from, in)...)
			if table[from][in] == nil {
				t.Faults = append(t.Faults, Transition{From: stateNames[from], Input: inputNames[in]})
			}
		}
	}
	return t
}

func rowsOf(from state, in input) (rows []Transition) {
	for _, w := range ways {
		if w.in == in && w.from&(1<<from) != 0 {
			to := w.to
			if to == stays {
				to = from
			}
			rows = append(rows, Transition{stateNames[from], inputNames[in], stateNames[to], w.when})
		}
	}
	return rows
}

// way is a transition that some states have in common.
type way struct {
	from states
	in   input
	to   state
	when string
}

// states is a set of them, a bit for each.
type states uint16

const stays = stateCount // to is the state as it was

const (
	begun = 1<<idle | 1<<connecting | 1<<open | rests | 1<<unauthorized
	rests = 1<<pausing | 1<<offline // waits for something that is not the app
)

// ways is all that the handlers of the table can lead to. A test drives a link
// through each of them, and finds any that is missing. It holds constants alone: a
// page would have to fetch what a call has to make.
var ways = []way{
	{1 << fresh, inStart, connecting, "a session wants a connection"},
	{1 << fresh, inStart, idle, "the app loads first"},
	{1 << fresh, inStart, offline, "there is no network"},

	{1 << connecting, inOpened, open, "200 with an event stream"},
	{1 << connecting, inOpened, connecting, "a gap, and an event at a cursor was asked for once more (R-309)"},
	{1 << connecting, inOpened, pausing, "408, 425, 429, 5xx"},
	{1 << connecting, inOpened, unauthorized, "401 or 403, and the app can be asked"},
	{1 << connecting, inOpened, idle, "409, 410, an expired window or 204, while the app loads for all that is left"},
	{1 << connecting, inOpened, offline, "408, 425, 429, 5xx, and there is no network"},
	{1 << connecting, inOpened, final, "204, any other status or content type, a refusal without a load, or there is to be no other connection"},

	{1 << open, inBytes, open, "events and frames are judged"},
	{1 << open, inBytes, connecting, "something did not connect: asked once more, at once"},
	{1 << open, inBytes, pausing, "something did not connect again soon, a frame that makes no sense, or `[DONE]`"},
	{1 << open, inBytes, offline, "any of these, and there is no network"},
	{1 << open, inBytes, idle, "the app loads for all sessions that are left"},
	{1 << open, inBytes, final, "all sessions have ended, a fault, or there is to be no other connection"},

	{1 << open, inClosed, pausing, "the body has ended"},
	{1 << open, inClosed, offline, "the body has ended, and there is no network"},
	{1 << open, inClosed, idle, "a clean end without anything new for the second time, while the app loads for the sessions that are left"},
	{1 << open, inClosed, final, "a clean end without anything new for the second time, or there is to be no other connection"},
	{1 << connecting, inClosed, pausing, "the request has failed"},
	{1 << connecting, inClosed, offline, "the request has failed, and there is no network"},
	{1 << connecting, inClosed, final, "the request has failed, and there is to be no other"},

	{1<<connecting | 1<<open | 1<<pausing, inTick, stays, "it is not time yet"},
	{1 << pausing, inTick, connecting, "the wait is over"},
	{1<<connecting | 1<<open, inTick, pausing, "silence, or no head, for too long"},
	{1<<connecting | 1<<open, inTick, offline, "silence, or no head, for too long, and there is no network"},
	{1<<connecting | 1<<open, inTick, final, "silence, or no head, for too long, and there is to be no other connection"},

	{1<<open | 1<<pausing, inVisible, stays, "it is not time yet"},
	{1 << connecting, inVisible, stays, "it is not time yet, or silence, or no head, for too long: made again at once"},
	{1 << open, inVisible, connecting, "silence, or no head, for too long: made again at once"},
	{1<<connecting | 1<<open, inVisible, pausing, "silence, or no head, for too long, and the server asked to wait"},
	{1<<connecting | 1<<open, inVisible, offline, "silence, or no head, for too long, and there is no network"},
	{1<<connecting | 1<<open, inVisible, final, "silence, or no head, for too long, and there is to be no other connection"},
	{1 << pausing, inVisible, connecting, "the server has not asked for so much"},

	{1<<fresh | 1<<idle | 1<<connecting | 1<<open | 1<<unauthorized, inOffline, stays, "kept for the next connection"},
	{1 << pausing, inOffline, offline, "no wait runs"},
	{1<<fresh | 1<<idle | 1<<connecting | 1<<open | 1<<unauthorized, inOnline, stays, "kept for the next connection"},
	{rests, inOnline, connecting, "the server has not asked for so much"},
	{rests, inOnline, pausing, "the server asked to wait"},

	{1 << unauthorized, inCredentials, connecting, "asked again with them"},
	{1 << unauthorized, inCredentials, offline, "there is no network"},
	{1 << unauthorized, inCredentials, idle, "the app loads for all sessions that are left"},
	{1 << unauthorized, inCredentials, final, "there are none, or there is to be no other connection"},

	{1 << idle, inLoaded, connecting, "nothing else is awaited"},
	{1 << idle, inLoaded, offline, "there is no network"},
	{1 << idle, inLoaded, idle, "another load is awaited"},
	{1<<connecting | 1<<open, inLoaded, connecting, "made again, with the cursor of the load"},
	{1<<connecting | 1<<open, inLoaded, offline, "the same, and there is no network"},
	{1 << open, inLoaded, open, "the load was given up or is another session's"},
	{1<<pausing | 1<<offline | 1<<unauthorized, inLoaded, stays, "asked for with the rest"},
	{begun, inLoaded, final, "no session is left, or no such lane"},

	{1 << idle, inLoadFailed, connecting, "the others had waited for it"},
	{1 << idle, inLoadFailed, offline, "the others had waited for it, and there is no network"},
	{begun, inLoadFailed, stays, "its session ends alone"},
	{begun, inLoadFailed, final, "no session is left, or no such lane"},

	{1 << idle, inReset, connecting, "nothing else is awaited"},
	{1 << idle, inReset, offline, "there is no network"},
	{1<<connecting | 1<<open, inReset, connecting, "made again, with this cursor"},
	{1<<connecting | 1<<open, inReset, offline, "the same, and there is no network"},
	{1<<connecting | 1<<open | 1<<pausing | 1<<offline, inReset, idle, "no cursor of the last session that the app does not load for"},
	{1<<fresh | 1<<pausing | 1<<offline | 1<<unauthorized, inReset, stays, "asked for with the rest"},
	{1 << idle, inReset, stays, "another load is awaited, or the session has ended"},
	{1 << open, inReset, stays, "the session has ended, or ends alone for it"},
	{begun | 1<<fresh, inReset, final, "no cursor of the only session, no such lane, or there is to be no other connection"},

	{begun | 1<<fresh | 1<<final, inApplied, stays, "answered by a mark"},
	{begun | 1<<fresh, inApplied, final, "an event that was not handed over, or no such lane"},

	{begun | 1<<fresh, inStop, final, ""},
}

// PhaseTable has how sessions move.
func PhaseTable() Table {
	t := Table{Inputs: happeningNames[:]}
	for from := waiting; from < phaseCount; from++ {
		t.States = append(t.States, Place{phaseNames[from], phaseWords[from]})
		for h := range happeningCount {
			row := Transition{From: phaseNames[from], Input: happeningNames[h], When: happeningWords[h]}
			if to := turns[from][h]; to != 0 {
				row.To = phaseNames[to]
				t.Rows = append(t.Rows, row)
			} else {
				row.When = ""
				t.Faults = append(t.Faults, row)
			}
		}
	}
	return t
}

var stateWords = [stateCount]string{
	"made, not started; an app is told `idle`",
	"no session needs a connection now: the app loads",
	"asked for, and not answered yet",
	"the body is being read",
	"a back-off runs",
	"wanted, and there is no network",
	"wanted, and the app was asked for new credentials",
	"over for good",
}

var phaseWords = [phaseCount]string{
	waiting:   "to be asked for, or asked for and not answered yet",
	replaying: "answered: what was missed comes",
	live:      "what was missed has come; without heads, where nothing says when that is: its events come",
	resyncing: "something did not connect; the next answer says whether that is so",
	loading:   "the app runs its load",
	refused:   "refused, and the app cannot load",
	ended:     "ended",
}

var happeningNames = [happeningCount]string{"load asked", "rebuilt", "head", "first event", "caught up", "doubt", "break", "refusal", "end"}

var happeningWords = [happeningCount]string{
	"the app is asked to load: for the first position, or after a refusal",
	"the cursor of a load, or one that the app gave, is in force",
	"its head came and was accepted",
	"an event came and was accepted, and no head before it: nothing will say where what was missed ends",
	"`tidemark.live`",
	"something did not connect, for the first time",
	"the connection has ended",
	"refused, and the app cannot load",
	"a terminal event, `tidemark.end`, 204, a fault of the session or of the link, or `stop`",
}
