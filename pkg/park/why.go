package park

// Why is what keeps an inbox from knowing how the rows of a session stand.
type Why uint8

// Reasons. Those from Incomplete on last until the session begins anew: nothing
// that its stream can still say makes the fold whole.
const (
	Known        Why = iota // nothing does: the rows are as they are shown
	CatchingUp              // what was recorded meanwhile is still on its way
	Disconnected            // there is no connection
	Incomplete              // the stream has ended before its end, or cannot prove that nothing is missing
	Elsewhere               // the stream goes on from a place that the fold has not read up to
	Refused                 // the stream was refused
	whyCount
)

var whyNames = [whyCount]string{"known", "catching_up", "disconnected", "incomplete", "elsewhere", "refused"}

// String is the word of the wire; "known" for none, which the wire leaves out.
func (w Why) String() string {
	if w < whyCount {
		return whyNames[w]
	}
	return "unknown"
}

// WhyNamed finds the reason with that word. Known is none.
//
//go:noinline
func WhyNamed(word string) (Why, bool) {
	for w := CatchingUp; w < whyCount; w++ {
		if whyNames[w] == word {
			return w, true
		}
	}
	return Known, false
}

func (w Why) lasts() bool { return w >= Incomplete }
