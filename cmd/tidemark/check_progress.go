package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"time"
)

// progress is one line on a terminal that says how far a check is. Elsewhere it
// is nothing.
type progress struct {
	to    io.Writer // nil: nobody looks
	in    *recording
	began time.Time
	last  time.Time
	drawn bool
}

// every is the time between two updates; a check that is over sooner shows none.
const every = 200 * time.Millisecond

func newProgress(to io.Writer, in *recording) *progress {
	p := &progress{in: in, began: time.Now(), last: time.Now()}
	if isTerminal(to) {
		p.to = to
	}
	return p
}

func (p *progress) update() {
	now := time.Now()
	if p.to == nil || now.Sub(p.last) < every {
		return
	}
	p.last = now
	megabytes := float64(p.in.read) / 1e6
	text := fmt.Sprintf("%.0f MB", megabytes)
	if p.in.size > 0 {
		text = fmt.Sprintf("%.0f %% of %.0f MB", 100*float64(p.in.read)/float64(p.in.size), float64(p.in.size)/1e6)
	}
	fmt.Fprintf(p.to, "\r\x1b[K%s: %s, %.0f MB/s", p.in.name, text, megabytes/now.Sub(p.began).Seconds())
	p.drawn = true
}

// around takes the line away while something else is printed.
func (p *progress) around(print func(), prints bool) {
	if prints {
		p.clear()
	}
	print()
}

func (p *progress) clear() {
	if p.drawn {
		fmt.Fprint(p.to, "\r\x1b[K")
		p.drawn = false
	}
}

// isTerminal reports whether somebody looks at what is written there.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && f.Name() != os.DevNull
}

// usualWidth is the width of text that goes to no terminal, or to one that does
// not say how wide it is.
const usualWidth = 100

// terminal says whether to use colours (never with NO_COLOR set), and how wide
// text may be.
func terminal(w io.Writer) (colour bool, width int) {
	if !isTerminal(w) {
		return false, usualWidth
	}
	columns, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if err != nil || columns < 40 {
		columns = usualWidth
	}
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb", min(columns, 160)
}
