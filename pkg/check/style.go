package check

import (
	"strings"
	"unicode/utf8"
)

// Style is how a report is written. The zero Style is plain text without line
// breaks of its own, and the findings of each kind without end.
type Style struct {
	JSON   bool // JSON lines: each finding when it is found, then the summary
	Quiet  bool // one line for each recording
	Strict bool // warnings count as errors in the exit code
	Colour bool // ANSI colours
	Width  int  // columns to break advice at; 0: do not
	Max    int  // findings to show of each kind in a session; 0: all that are kept
}

// colour is an ANSI sequence by what it means.
type colour string

const (
	red    colour = "\x1b[31m"
	yellow colour = "\x1b[33m"
	green  colour = "\x1b[32m"
	blue   colour = "\x1b[36m"
	dim    colour = "\x1b[2m"
	bold   colour = "\x1b[1m"
	reset         = "\x1b[0m"
)

// marks are the sign and colour of each severity; that of 0 is for what is whole.
var marks = [...]struct {
	sign   string
	colour colour
}{0: {"✓", green}, Information: {"·", blue}, Warning: {"!", yellow}, Error: {"✗", red}}

// page is text that is being written.
type page struct {
	text  []byte
	style Style
}

// add appends text as it is; it has to be ours.
func (p *page) add(parts ...string) {
	for _, part := range parts {
		p.text = append(p.text, part...)
	}
}

// paint appends text in a colour. What a terminal would act on is taken out: names
// and types come from the recording.
func (p *page) paint(c colour, text string) {
	if p.style.Colour && c != "" {
		p.add(string(c))
	}
	p.safe(text)
	if p.style.Colour && c != "" {
		p.add(reset)
	}
}

func (p *page) mark(s Severity) {
	p.paint(marks[s].colour, marks[s].sign)
}

// safe appends text without controls, line ends and turns of direction.
func (p *page) safe(text string) {
	for _, r := range text {
		if r < ' ' || 0x7f <= r && r < 0xa0 || 0x2028 <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069 {
			r = utf8.RuneError
		}
		p.text = utf8.AppendRune(p.text, r)
	}
}

// wrap appends a paragraph, its lines broken between words and indented.
func (p *page) wrap(indent, first, text string) {
	column := utf8.RuneCountInString(indent + first)
	p.add(indent)
	p.paint(dim, first)
	margin := column
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case p.style.Width > 0 && column+1+n > p.style.Width:
			p.add("\n", strings.Repeat(" ", margin))
			column = margin
		default:
			p.add(" ")
			column++
		}
		p.safe(word)
		column += n
	}
	p.add("\n")
}
