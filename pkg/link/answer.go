package link

import (
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/sse"
)

// answered reads the answer of the server, up to its body.
func (l *Link) answered() {
	r := &l.given.Response
	c := &l.conn
	c.life, c.opened, c.floor = c.now, c.now, min(r.RetryAfter, afterMost)
	code := code(r.Body)
	if l.profile.IsExpired(r.Status, code) {
		l.refuseAll(r.Status, code, fault.DetailWindowExpired)
		return
	}
	switch answerTo(r.Status) {
	case answerStream:
		l.opened(r.ContentType)
	case answerEnd:
		l.finish(Server)
	case answerRefusal:
		l.refuseAll(r.Status, code, fault.DetailHTTPStatus)
	case answerLater:
		l.backOff(fault.HTTPStatus)
	case answerDenied:
		l.denied(r.Status)
	default:
		l.fail(statusFault(fault.HTTPStatus, r.Status))
	}
}

func (l *Link) opened(contentType string) {
	if sse.MediaType(contentType) != sse.ContentType {
		l.fail(contentTypeFault(contentType))
		return
	}
	l.decoder.Reset()
	l.conn.state, l.conn.floor = open, 0
	for i := range l.lanes {
		if ln := &l.lanes[i]; !l.heads && ln.asks() { // else its head says whether it goes on
			ln.stood = true
		}
	}
}

// denied asks the app for new credentials, once between two connections that were
// worth having.
func (l *Link) denied(status int) {
	c := &l.conn
	if c.asked || !l.options.Credentials {
		l.fail(statusFault(fault.Unauthorized, status))
		return
	}
	if r := l.report(); r != nil {
		r.Broken, r.Wait = fault.Unauthorized, noWait
	}
	l.hangUp()
	l.dropLanes()
	c.asked, c.state = true, unauthorized
	l.push(Credentials, -1).Status = status
}

// renew goes on with the credentials that the app has brought. Why it could not
// bring any may be a secret, and is not told.
func (l *Link) renew() {
	if l.given.Failed {
		l.fail(fault.New(fault.Unauthorized, "new credentials", "none, when asked for them"))
		return
	}
	l.conn.state = idle
	l.connect()
}

// unanswered: the request failed before any answer.
func (l *Link) unanswered() { l.backOff(fault.ConnectionLost) }

// receive takes the bytes that came, to be judged as they are drained.
func (l *Link) receive() {
	n := l.given.Size
	if l.conn.closing {
		return
	}
	l.decoder.Commit(n)
	if n > 0 {
		l.conn.life = l.conn.now
	}
}

// close: the body has ended, and is settled once its frames are judged.
func (l *Link) close() { l.conn.closing, l.conn.failed = true, l.given.Failed }
