package check

import (
	"bytes"
	"strings"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/sse"
)

// node is a place in the tree of a HAR that there is a use for.
type node uint8

const (
	noNode node = iota
	harRoot
	harLog
	harEntries
	harEntry
	harStarted
	harRequest
	harURL
	harRequestHeaders
	harRequestHeader
	harResponse
	harResponseHeaders
	harResponseHeader
	harName
	harValue
	harContent
	harMime
	harEncoding
	harText
	harMessages
	harMessage
	harMessageName
	harMessageID
	harMessageData
	nodeCount
)

// nodes is the tree: where a member or an element of a node leads, and whether
// text there is of use. Some browsers keep the messages of an EventSource beside
// the entry rather than the bytes of its answer; those are read as well.
var nodes = [nodeCount]struct {
	members map[string]node
	element node
	text    bool
}{
	harRoot:    {members: map[string]node{"log": harLog}},
	harLog:     {members: map[string]node{"entries": harEntries}},
	harEntries: {element: harEntry},
	harEntry: {members: map[string]node{
		"startedDateTime": harStarted, "request": harRequest, "response": harResponse, "_eventSourceMessages": harMessages,
	}},
	harStarted:         {text: true},
	harRequest:         {members: map[string]node{"url": harURL, "headers": harRequestHeaders}},
	harURL:             {text: true},
	harRequestHeaders:  {element: harRequestHeader},
	harRequestHeader:   {members: map[string]node{"name": harName, "value": harValue}},
	harResponse:        {members: map[string]node{"headers": harResponseHeaders, "content": harContent}},
	harResponseHeaders: {element: harResponseHeader},
	harResponseHeader:  {members: map[string]node{"name": harName, "value": harValue}},
	harName:            {text: true},
	harValue:           {text: true},
	harContent:         {members: map[string]node{"mimeType": harMime, "encoding": harEncoding, "text": harText}},
	harMime:            {text: true},
	harEncoding:        {text: true},
	harText:            {text: true},
	harMessages:        {element: harMessage},
	harMessage:         {members: map[string]node{"eventName": harMessageName, "eventId": harMessageID, "data": harMessageData}},
	harMessageName:     {text: true},
	harMessageID:       {text: true},
	harMessageData:     {text: true},
}

// archive reads a HAR: every entry that answered with an event stream is a
// connection of its own, in the order of the file.
type archive struct {
	c       *Checker
	json    jsonReader
	body    *stream
	content content
	values  [nodeCount][]byte // short texts of the entry, by node
	kept    [nodeCount]bool   // which of them it has
	mime    string            // of the answer, by its content or its headers
	lastID  string            // the header Last-Event-ID of the request

	opened   bool // the entry is an event stream that is being read, or was
	messages int64
	lastMark string // id of the message before
	skips    bool   // the data of a message is beyond the limit
}

func newArchive(c *Checker) *archive {
	a := &archive{c: c}
	a.json.archive, a.json.node = a, harRoot
	a.body = &stream{c: c, decoder: sse.NewDecoder(c.options.MaxFrame)}
	return a
}

func (a *archive) feed(chunk []byte) {
	if a.json.state == broken {
		return
	}
	a.json.feed(chunk)
	if a.json.state == broken {
		a.damaged(a.json.problem)
	}
}

func (a *archive) end(stopped bool) {
	if a.json.state == broken || a.json.complete() || stopped {
		return
	}
	a.damaged("it ends in the middle")
}

// damaged reports where the HAR itself cannot be read, and lets go of the entry.
func (a *archive) damaged(what string) {
	p := Place{Line: a.json.line + 1, Offset: a.json.at, At: -1}
	a.stamp()
	a.c.report(Finding{Kind: Damaged, What: what, Place: p})
}

func (a *archive) begin(n node) {
	switch n {
	case harEntry:
		a.beginEntry()
	case harRequestHeader, harResponseHeader, harMessage:
		for _, part := range []node{harName, harValue, harMessageName, harMessageID, harMessageData} {
			a.values[part], a.kept[part] = a.values[part][:0], false
		}
		a.skips = false
	}
}

func (a *archive) beginEntry() {
	for i := range a.values {
		a.values[i], a.kept[i] = a.values[i][:0], false
	}
	a.mime, a.lastID, a.lastMark = "", "", ""
	a.content.was = ignored
	a.opened, a.messages = false, 0
	a.c.tally.entries++
}

func (a *archive) finish(n node) {
	switch n {
	case harEntry:
		a.finishEntry()
	case harRequestHeader:
		if strings.EqualFold(string(a.values[harName]), "last-event-id") {
			a.lastID = string(a.values[harValue])
		}
	case harResponseHeader:
		if strings.EqualFold(string(a.values[harName]), "content-type") && a.mime == "" {
			a.mime = string(a.values[harValue])
		}
	case harMessage:
		a.message()
	}
}

// finishEntry ends a connection, or says that an event stream has no content.
func (a *archive) finishEntry() {
	if !a.opened && a.isStream() {
		a.connect()
		what := "its content was not saved"
		if a.kept[harText] {
			what = "its content stands before its mimeType, where it cannot be used"
		}
		a.c.report(Finding{Kind: NothingRecorded, What: what, Place: a.whole()})
	}
	if a.opened && a.content.was == plain && string(a.values[harEncoding]) == "base64" {
		a.c.report(Finding{Kind: Damaged, What: "its content is said to be base64 and is not", Place: a.whole()})
	}
	if a.opened && a.c.connectionScoped() {
		a.c.finishSessions(false)
	}
	a.stamp()
}

// whole is the place of an entry as such.
func (a *archive) whole() Place {
	return Place{Entry: a.c.conn.entry, URL: a.c.conn.url, Offset: -1, At: -1}
}

// stamp gives the findings of the entry its address and time, and lets them go.
func (a *archive) stamp() {
	n := &a.c.conn
	if n.waits {
		n.url, n.started = clip(a.values[harURL], mostURL), clip(a.values[harStarted], mostTime)
		held := a.c.findings.held()
		for i := range held {
			f := &held[i]
			if f.Place.Entry != n.entry {
				continue
			}
			f.Place.URL = n.url
			if f.Time == "" {
				f.Time = n.started
			}
		}
	}
	a.c.conn = connection{number: n.number}
	a.c.findings.release(true)
}

// isStream reports whether the answer is an event stream, as far as is known.
func (a *archive) isStream() bool {
	if a.kept[harMime] {
		a.mime = string(a.values[harMime])
	}
	return sse.MediaType(a.mime) == sse.ContentType
}

// connect begins the connection of the entry.
func (a *archive) connect() {
	a.c.connect()
	n := &a.c.conn
	n.entry, n.waits = int(a.c.tally.entries), true
	n.started = clip(a.values[harStarted], mostTime)
	n.request(string(a.values[harURL]), a.c.profile.Base)
	n.resume(a.lastID, a.c.profile.Base)
}

// open begins the body of the entry.
func (a *archive) open() {
	a.connect()
	a.opened = true
	a.c.tally.connections++
	a.body.restart()
}

// mostShort bounds the texts of an entry that are kept.
const mostShort = 16 << 10

// text takes a piece of a string.
func (a *archive) text(n node, piece []byte, done bool) {
	switch n {
	case harText:
		a.bodyText(piece, done)
		return
	case harMessageData:
		a.messageData(piece)
	default:
		if room := mostShort - len(a.values[n]); room > 0 {
			a.values[n] = append(a.values[n], piece[:min(len(piece), room)]...)
		}
	}
	a.kept[n] = true
}

// bodyText takes a piece of the content.
func (a *archive) bodyText(piece []byte, done bool) {
	if !a.kept[harText] {
		a.kept[harText] = true
		if a.opened || !a.isStream() || done && len(piece) == 0 {
			a.content.mode = ignored
		} else {
			a.open()
			a.content.begin(string(a.values[harEncoding]))
		}
	}
	if a.content.mode == ignored {
		return
	}
	ok := a.content.decode(piece, done, a.body.feed)
	if !ok {
		a.c.report(Finding{Kind: Damaged, What: "its content is not base64 all the way", Place: a.whole()})
	}
	if !ok || done {
		a.body.end(false)
		a.content.mode = ignored
	}
	a.c.findings.release(false)
}

// messageData keeps the data of a message, which is a frame.
func (a *archive) messageData(piece []byte) {
	if len(a.values[harMessageData])+len(piece) > a.c.options.MaxFrame {
		a.skips = true
	}
	if !a.skips {
		a.values[harMessageData] = append(a.values[harMessageData], piece...)
	}
}

// message is one message of an EventSource, as the browser dispatched it. Its id
// is the last one of the connection, so it is this message's own only when it
// differs from that of the one before.
func (a *archive) message() {
	if a.kept[harText] {
		return
	}
	if !a.opened {
		a.open()
	}
	a.messages++
	p := Place{Entry: a.c.conn.entry, URL: a.c.conn.url, Line: a.messages, Offset: -1, At: -1}
	if a.skips {
		a.c.report(Finding{Kind: TooLarge, What: tooLargeFrame(a.c.options.MaxFrame), Place: p})
		return
	}
	f := sse.Frame{Data: a.values[harMessageData]}
	if name := a.values[harMessageName]; string(name) != "message" {
		f.Event = name
	}
	if id := a.values[harMessageID]; string(id) != a.lastMark {
		f.ID, f.HasID = id, true
		a.lastMark = string(id)
	}
	a.c.frame(&f, p)
}

func validScalar(raw []byte) bool {
	if rawjson.IsNumber(raw) {
		return true
	}
	for _, word := range []string{"true", "false", "null"} {
		if bytes.Equal(raw, []byte(word)) {
			return true
		}
	}
	return false
}
