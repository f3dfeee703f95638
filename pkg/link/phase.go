package link

// phase is where one session stands. The order counts: up to resyncing a lane is
// asked for, from refused on it has ended.
type phase uint8

const (
	_         phase = iota
	waiting         // to be asked for by the next connection, or asked for and not answered yet
	replaying       // it was answered; its replay comes
	live            // the replay has ended
	resyncing       // something did not connect: the next answer is to say whether it is so
	loading         // the app runs its load
	refused         // refused for good
	ended           // ended
	phaseCount
)

var phaseNames = [phaseCount]string{"", "waiting", "replaying", "live", "resyncing", "loading", "refused", "ended"}

// happening is what moves a lane from one phase to another.
type happening uint8

const (
	loadAsked happening = iota // the app is to load
	rebuilt                    // a loaded cursor, or one that the app gave, is in force
	headed                     // its head was accepted
	flowed                     // an event of it was accepted without a head
	caughtUp                   // its replay has ended
	doubted                    // something did not connect, for the first time
	parted                     // the connection is gone
	lost                       // it is refused, and the app cannot load
	over                       // it has ended
	happeningCount
)

// turns is the phase that each happening leads to. One that is missing cannot come
// in that phase.
var turns = [phaseCount][happeningCount]phase{
	waiting: {loadAsked: loading, rebuilt: waiting, headed: replaying, flowed: live, caughtUp: live, doubted: resyncing,
		parted: waiting, lost: refused, over: ended},
	replaying: {loadAsked: loading, rebuilt: waiting, headed: replaying, caughtUp: live, doubted: resyncing,
		parted: waiting, lost: refused, over: ended},
	live: {loadAsked: loading, rebuilt: waiting, headed: replaying, caughtUp: live, doubted: resyncing,
		parted: waiting, lost: refused, over: ended},
	resyncing: {loadAsked: loading, rebuilt: waiting, headed: replaying, flowed: live, caughtUp: live, doubted: resyncing,
		parted: resyncing, lost: refused, over: ended},
	loading: {rebuilt: waiting, parted: loading, over: ended},
	refused: {parted: refused},
	ended:   {parted: ended},
}

// turn moves a lane by the table, and tells it to whoever asked for that.
func (l *Link) turn(i int, h happening) {
	from := l.lanes[i].phase
	to := turns[from][h]
	if to == 0 {
		l.misused("a turn of a session", phaseNames[from])
		return
	}
	l.enter(i, to)
}

// enter puts a lane into a phase.
func (l *Link) enter(i int, to phase) {
	ln := &l.lanes[i]
	changed := to != ln.phase
	ln.phase = to
	if changed && l.options.States {
		l.push(Phase, i).Name = phaseNames[to]
	}
}
