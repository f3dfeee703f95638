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

// states is a set of them.
type states uint16

func of(all ...state) (set states) {
	for _, s := range all {
		set |= 1 << s
	}
	return set
}

const stays = stateCount // to is the state as it was

var (
	begun = of(idle, connecting, open, pausing, offline, unauthorized)
	rests = of(pausing, offline) // waits for something that is not the app
)

// ways is all that the handlers of the table can lead to. A test drives a link
// through each of them, and finds any that is missing.
var ways = []way{
	{of(fresh), inStart, connecting, "a session wants a connection"},
	{of(fresh), inStart, idle, "the app loads first"},
	{of(fresh), inStart, offline, "there is no network"},

	{of(connecting), inOpened, open, "200 with an event stream"},
	{of(connecting), inOpened, pausing, "408, 425, 429, 5xx"},
	{of(connecting), inOpened, unauthorized, "401 or 403, and the app can be asked"},
	{of(connecting), inOpened, idle, "409, 410, an expired window or 204, while the app loads for all that is left"},
	{of(connecting), inOpened, offline, "408, 425, 429, 5xx, and there is no network"},
	{of(connecting), inOpened, final, "204, any other status or content type, a refusal without a load, or there is to be no other connection"},

	{of(open), inBytes, open, "events and frames are judged"},
	{of(open), inBytes, connecting, "something did not connect: asked once more, at once"},
	{of(open), inBytes, pausing, "something did not connect again soon, a frame that makes no sense, or `[DONE]`"},
	{of(open), inBytes, offline, "any of these, and there is no network"},
	{of(open), inBytes, idle, "the app loads for all sessions that are left"},
	{of(open), inBytes, final, "all sessions have ended, a fault, or there is to be no other connection"},

	{of(open), inClosed, pausing, "the body has ended"},
	{of(open), inClosed, offline, "the body has ended, and there is no network"},
	{of(open), inClosed, idle, "a clean end without anything new for the second time, while the app loads for the sessions that are left"},
	{of(open), inClosed, final, "a clean end without anything new for the second time, or there is to be no other connection"},
	{of(connecting), inClosed, pausing, "the request has failed"},
	{of(connecting), inClosed, offline, "the request has failed, and there is no network"},
	{of(connecting), inClosed, final, "the request has failed, and there is to be no other"},

	{of(connecting, open, pausing), inTick, stays, "it is not time yet"},
	{of(pausing), inTick, connecting, "the wait is over"},
	{of(connecting, open), inTick, pausing, "silence for too long"},
	{of(connecting, open), inTick, offline, "silence for too long, and there is no network"},
	{of(connecting, open), inTick, final, "silence for too long, and there is to be no other connection"},

	{of(open, pausing), inVisible, stays, "it is not time yet"},
	{of(connecting), inVisible, stays, "it is not time yet, or silence for too long: made again at once"},
	{of(open), inVisible, connecting, "silence for too long: made again at once"},
	{of(connecting, open), inVisible, pausing, "silence for too long, and the server asked to wait"},
	{of(connecting, open), inVisible, offline, "silence for too long, and there is no network"},
	{of(connecting, open), inVisible, final, "silence for too long, and there is to be no other connection"},
	{of(pausing), inVisible, connecting, "the server has not asked for so much"},

	{of(fresh, idle, connecting, open, unauthorized), inOffline, stays, "kept for the next connection"},
	{of(pausing), inOffline, offline, "no wait runs"},
	{of(fresh, idle, connecting, open, unauthorized), inOnline, stays, "kept for the next connection"},
	{rests, inOnline, connecting, "the server has not asked for so much"},
	{rests, inOnline, pausing, "the server asked to wait"},

	{of(unauthorized), inCredentials, connecting, "asked again with them"},
	{of(unauthorized), inCredentials, offline, "there is no network"},
	{of(unauthorized), inCredentials, idle, "the app loads for all sessions that are left"},
	{of(unauthorized), inCredentials, final, "there are none, or there is to be no other connection"},

	{of(idle), inLoaded, connecting, "nothing else is awaited"},
	{of(idle), inLoaded, offline, "there is no network"},
	{of(idle), inLoaded, idle, "another load is awaited"},
	{of(connecting, open), inLoaded, connecting, "made again, with the cursor of the load"},
	{of(connecting, open), inLoaded, offline, "the same, and there is no network"},
	{of(open), inLoaded, open, "the load was given up or is another session's"},
	{of(pausing, offline, unauthorized), inLoaded, stays, "asked for with the rest"},
	{begun, inLoaded, final, "no session is left, or no such lane"},

	{of(idle), inLoadFailed, connecting, "the others had waited for it"},
	{of(idle), inLoadFailed, offline, "the others had waited for it, and there is no network"},
	{begun, inLoadFailed, stays, "its session ends alone"},
	{begun, inLoadFailed, final, "no session is left, or no such lane"},

	{of(idle), inReset, connecting, "nothing else is awaited"},
	{of(idle), inReset, offline, "there is no network"},
	{of(connecting, open), inReset, connecting, "made again, with this cursor"},
	{of(connecting, open), inReset, offline, "the same, and there is no network"},
	{of(connecting, open, pausing, offline), inReset, idle, "no cursor of the last session that the app does not load for"},
	{of(fresh, pausing, offline, unauthorized), inReset, stays, "asked for with the rest"},
	{of(idle), inReset, stays, "another load is awaited, or the session has ended"},
	{of(open), inReset, stays, "the session has ended, or ends alone for it"},
	{begun | of(fresh), inReset, final, "no cursor of the only session, no such lane, or there is to be no other connection"},

	{begun | of(fresh, final), inApplied, stays, "answered by a mark"},
	{begun | of(fresh), inApplied, final, "an event that was not handed over, or no such lane"},

	{begun | of(fresh), inStop, final, ""},
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
	live:      "what was missed has come",
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
	"an event came and was accepted, and no head before it",
	"`tidemark.live`",
	"something did not connect, for the first time",
	"the connection has ended",
	"refused, and the app cannot load",
	"a terminal event, `tidemark.end`, 204, a fault of the session or of the link, or `stop`",
}
