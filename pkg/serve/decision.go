package serve

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"unsafe"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/park"
	"github.com/tidemark-stream/tidemark/pkg/wire"
)

// serveDecision answers a question under the lease of the log's writer.
func (h *Handler) serveDecision(w http.ResponseWriter, r *http.Request) {
	session, decisionID := r.PathValue("sessionId"), r.PathValue("decisionId")
	if !h.admit(w, r, []string{session}) {
		return
	}
	reply, status, err := h.readReply(w, r)
	if err != nil {
		err.Session = session
		writeProblemOf(w, status, err, nil)
		return
	}
	writer, failed := h.writerOf(r.Context(), session)
	if failed != nil {
		h.fail(w, session, failed)
		return
	}
	p, failed := writer.Answer(r.Context(), decisionID, reply.fence, reply.decision, h.options.Who(r))
	if failed != nil {
		h.failAnswer(w, session, p, failed)
		return
	}
	writeJSON(w, settledJSON(session, p, writer.Lease()))
}

// writerOf finds the Session of a session that there is.
func (h *Handler) writerOf(ctx context.Context, session string) (s *durable.Session, err error) {
	if err = h.open.Err(); err != nil {
		return nil, err
	}
	if _, err = h.store.Open(ctx, session); err != nil {
		return nil, err
	}
	rule := fault.ReadOnly
	if h.options.Writer != nil {
		rule = fault.NotTheWriter
		s, err = h.options.Writer(ctx, session)
	}
	if s == nil && err == nil {
		f := fault.New(rule, "the server that writes this log", "one that reads it")
		f.Session, err = session, f
	}
	return s, err
}

// reply is what the body of an answer says.
type reply struct {
	decision   []byte
	seq        events.Seq
	generation events.Generation
	seen       [3]bool
	fence      durable.Fence
}

const replyWords = `{"decision":{"action":…},"seq":n,"generation"?:g}`

var replyMembers = []rawjson.Member{
	{Name: "decision", Read: readDecisionMember, Words: "an object"},
	{Name: "seq", Read: readSeqMember, Words: "an integer of at least 1"},
	{Name: "generation", Read: readGenerationMember, Words: "digits or text"},
	{Name: ""},
}

// once reports whether a member stands there for the first time.
func (y *reply) once(i int) bool {
	first := !y.seen[i]
	y.seen[i] = true
	return first
}

func readDecisionMember(into unsafe.Pointer, raw []byte, _ string) bool {
	y := (*reply)(into)
	y.decision = raw
	return y.once(0)
}

func readSeqMember(into unsafe.Pointer, raw []byte, _ string) (ok bool) {
	y := (*reply)(into)
	y.seq, ok = events.ParseSeq(raw)
	return ok && y.once(1)
}

func readGenerationMember(into unsafe.Pointer, raw []byte, _ string) (ok bool) {
	y := (*reply)(into)
	y.generation, ok = events.ParseGeneration(raw)
	return ok && y.once(2)
}

// readReply reads the body of an answer. Other content types are refused because a
// foreign page can send those without asking.
func (h *Handler) readReply(w http.ResponseWriter, r *http.Request) (y reply, status int, f *fault.Fault) {
	kind := r.Header.Get("Content-Type")
	if name, _, err := mime.ParseMediaType(kind); err != nil || name != "application/json" {
		return y, http.StatusUnsupportedMediaType, badReply("content type application/json", strconv.Quote(fault.Clip([]byte(kind))))
	}
	most := int64(h.options.MaxBody)
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		return y, http.StatusRequestEntityTooLarge, badReply("at most "+strconv.FormatInt(most, 10)+" bytes", "more")
	case err != nil:
		return y, http.StatusBadRequest, badReply(replyWords, "a body that was cut")
	}
	if f = y.read(body); f != nil {
		return y, http.StatusBadRequest, f
	}
	return y, 0, nil
}

// maxReplyDepth is how deep an answer may be nested. A record may be no deeper.
const maxReplyDepth = 100

func (y *reply) read(body []byte) *fault.Fault {
	u := rawjson.Read(body, maxReplyDepth, unsafe.Pointer(y), replyMembers)
	switch {
	case u == nil && y.decision == nil:
		return badReply(replyWords, "no decision")
	case u == nil && y.seq == 0:
		return badReply(replyWords, "no seq")
	case u == nil:
		y.fence = durable.Fence{Seq: y.seq, Generation: y.generation}
		return nil
	case u.Blame == rawjson.BlameText:
		f := badReply("one JSON object", u.Problem.String())
		f.Offset = int64(u.At)
		return f
	case u.Blame == rawjson.BlameValue:
		return badReply(u.Name+" as "+u.Words+", once", fault.Clip(u.Raw))
	}
	return badReply(replyWords, fault.Clip(body))
}

func badReply(expected, found string) *fault.Fault {
	return fault.New(fault.BadDecision, expected, found)
}

// failAnswer answers what an answer met. How a settled question was settled first
// comes along.
func (h *Handler) failAnswer(w http.ResponseWriter, session string, p *park.Park, err error) {
	var f *fault.Fault
	if !errors.As(err, &f) {
		h.fail(w, session, err)
		return
	}
	switch f.ID {
	case fault.DecisionAnswered, fault.DecisionExpired:
		writeProblemOf(w, statusOf[f.ID], f, p)
	case fault.BadDecision:
		f.Session = session
		h.fail(w, session, f)
	case fault.FrameTooLarge, fault.BadEvent: // the log takes no such record, and took none
		bad := badReply(f.Expected, f.Found)
		bad.Session, bad.Err = session, f
		h.fail(w, session, bad)
	default:
		h.fail(w, session, err)
	}
}

func writeProblemOf(w http.ResponseWriter, status int, f *fault.Fault, first *park.Park) {
	body := wire.BeginFault(status, f)
	if first != nil {
		body.Open("first")
		writeSettlement(&body, first)
		body.Int("resolvedAt", first.ResolvedAt)
		body.Int("seq", int64(first.ResolvedSeq))
		body.Close()
	}
	writeProblem(w, status, body.End())
}

func writeSettlement(w *rawjson.Writer, p *park.Park) {
	w.Raw("decision", orNull(p.Decision))
	if p.ResolvedBy != nil {
		w.Raw("resolvedBy", p.ResolvedBy)
	}
}

// orNull stands for an answer that its record lacks.
func orNull(raw []byte) []byte {
	if raw == nil {
		return []byte("null")
	}
	return raw
}

func settledJSON(session string, p *park.Park, lease events.Generation) []byte {
	w := rawjson.Begin(nil)
	w.Text("sessionId", session)
	w.Text("decisionId", p.DecisionID)
	w.Int("seq", int64(p.ResolvedSeq))
	if lease.IsSet() {
		w.Name("generation")
		w.Append(lease.AppendJSON)
	}
	writeSettlement(&w, p)
	return w.End()
}
