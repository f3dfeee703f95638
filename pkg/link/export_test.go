package link

// What the tests of the tables look at.

// StateName is where the connection stands.
func (l *Link) StateName() string { return stateNames[l.conn.state] }

// PhaseOf is where a session stands.
func (l *Link) PhaseOf(lane int) string { return phaseNames[l.lanes[lane].phase] }

// Forget takes a turn out of the table until it is put back. False: it has none.
func Forget(from, happening int) (restore func(), had bool) {
	cell := &turns[from][happening]
	was := *cell
	*cell = 0
	return func() { *cell = was }, was != 0
}

// How many phases, from 1, and happenings there are.
const (
	PhaseCount     = int(phaseCount)
	HappeningCount = int(happeningCount)
)

// PhaseName and HappeningName are for people.
func PhaseName(p int) string     { return phaseNames[p] }
func HappeningName(h int) string { return happeningNames[h] }
