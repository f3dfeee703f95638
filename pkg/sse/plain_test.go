package sse

import (
	"regexp"
	"strconv"
	"strings"
)

// plain is a second decoder, written from the standard's steps over the whole
// text without a thought for speed, chunks or memory. The fuzz target holds the
// real one against it.
func plain(stream []byte, maxFrame int) (out trace) {
	out.Retry, out.FaultAt = -1, -1
	if maxFrame == 0 {
		maxFrame = DefaultMaxFrame
	}
	p := plainBlock{out: &out, max: maxFrame}
	text := string(stream)
	at := 0
	if strings.HasPrefix(text, "\uFEFF") {
		at = 3
	} else if len(text) > 0 && strings.HasPrefix("\uFEFF", text) {
		out.Tail = true
		return out
	}
	for {
		n := strings.IndexAny(text[at:], "\r\n")
		if n < 0 {
			p.rest(text[at:], at)
			return out
		}
		if p.line(text[at:at+n], at); out.FaultAt >= 0 {
			return out
		}
		at += n + 1
		if text[at-1] == '\r' && strings.HasPrefix(text[at:], "\n") {
			at++
		}
	}
}

type plainBlock struct {
	out         *trace
	max, size   int
	open        bool
	start       int
	data        strings.Builder
	event, id   string
	hasE, hasID bool
	hasRetry    bool
	retry       int64
}

func (p *plainBlock) fail(at int) {
	if p.open {
		at = p.start
	}
	p.out.FaultAt, p.out.Tail = int64(at), false
}

func (p *plainBlock) rest(line string, at int) {
	p.out.Tail = p.open || line != "" && line[0] != ':'
	if p.size+len(line) > p.max {
		p.fail(at)
	}
}

func (p *plainBlock) line(line string, at int) {
	switch {
	case line == "":
		p.end(at + 1)
	case line[0] == ':':
		if p.size+len(line) > p.max {
			p.fail(at)
			return
		}
		p.out.Comments++
	case p.size+len(line)+1 > p.max:
		p.fail(at)
	default:
		if !p.open {
			p.open, p.start = true, at
		}
		p.size += len(line) + 1
		name, value, _ := strings.Cut(line, ":")
		p.field(name, strings.TrimPrefix(value, " "))
	}
}

var digits = regexp.MustCompile(`^[0-9]+$`)

func (p *plainBlock) field(name, value string) {
	switch name {
	case "event":
		p.event, p.hasE = value, true
	case "data":
		p.data.WriteString(value + "\n")
	case "id":
		if !strings.Contains(value, "\x00") {
			p.id, p.hasID = value, true
		}
	case "retry":
		if ms, err := strconv.ParseInt(value, 10, 64); err == nil && digits.MatchString(value) && ms <= maxRetry {
			p.out.Retry, p.retry, p.hasRetry = ms, ms, true
		}
	}
}

func (p *plainBlock) end(at int) {
	if p.hasID {
		p.out.Last = p.id
	}
	if p.data.Len() > 0 {
		m := message{Event: p.event, HasEvent: p.hasE, ID: p.id, HasID: p.hasID, Retry: -1,
			Data: strings.TrimSuffix(p.data.String(), "\n"), Last: p.out.Last, Start: int64(p.start), End: int64(at)}
		if p.hasRetry {
			m.Retry = p.retry
		}
		p.out.Messages = append(p.out.Messages, m)
	}
	*p = plainBlock{out: p.out, max: p.max}
}
