package durable_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/park"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
)

func (w *world) pending(turn string) string {
	p, err := w.Pending(w.t.Context(), turn)
	require.NoError(w.t, err)
	if p == nil {
		return ""
	}
	return p.DecisionID
}

// what is answered is what the log holds, and so what everybody else reads.
func TestParkAnswersWhatTheLogHolds(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		request := []byte("\r\n {\n\t\"type\": \"plan\",\r\n\"x\": \"a\\nb\" }\n")
		p, err := w.Park(t.Context(), durable.Question{TurnID: "t1", CheckpointID: "c1", Request: request})
		require.NoError(t, err)
		require.Equal(t, "{ \t\"type\": \"plan\",  \"x\": \"a\\nb\" }", string(p.Request))
		again, err := w.Pending(t.Context(), "t1")
		require.NoError(t, err)
		require.Equal(t, again.Request, p.Request)
		clear(request)
		require.Equal(t, again.Request, p.Request, "it is the caller's")
	})
}

// recorded as it was put; only a time to live above zero gives a deadline.
func TestPark(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		p := w.ask("c1", 5000)
		require.Equal(t, park.Park{
			DecisionID: "c1", TurnID: "t1", CheckpointID: "c1", Seq: 1, Generation: "1",
			Request: []byte(`{"type":"plan","x":[1.0]}`), ParkedAt: start, DeadlineAt: start + 5000, HasDeadline: true,
		}, *p)
		require.Equal(t, `{"v":1,"type":"decision_requested","seq":1,"gen":1,"ts":"2026-01-01T00:00:00.000Z","sessionId":"s1","turnId":"t1",`+
			`"decisionId":"c1","checkpointId":"c1","request":{"type":"plan","x":[1.0]},"deadlineAt":"2026-01-01T00:00:05.000Z"}`, w.records()[0])
		require.Equal(t, "c1", w.pending("t1"))
		require.Empty(t, w.pending("t2"))
		w.now = start + 4999
		require.Equal(t, "c1", w.pending(""))
		w.now = start + 5000
		require.Empty(t, w.pending(""), "R-363: the very millisecond is past it")
		list, err := w.Expired(t.Context(), "t1")
		require.NoError(t, err)
		require.Len(t, list, 1)
	})
}

func TestTimeToLive(t *testing.T) {
	w := inMemory(t)
	w.o.TTL = 70
	w.anew()
	p, err := w.Park(t.Context(), durable.Question{TurnID: "t1", CheckpointID: "c1", Request: []byte(`{"type":"x"}`)})
	require.NoError(t, err)
	require.Equal(t, start+70, p.DeadlineAt, "that of the options")
	require.Equal(t, start+5, w.ask("c1", 5).DeadlineAt, "that of the call")
	require.False(t, w.ask("c1", 0).HasDeadline, "switched off")
	require.False(t, w.ask("c1", -1).HasDeadline)
	w.o.TTL = 0
	p, err = w.anew().Park(t.Context(), durable.Question{TurnID: "t1", CheckpointID: "c1", Request: []byte(`{"type":"x"}`)})
	require.NoError(t, err)
	require.False(t, p.HasDeadline)
}

func TestBadQuestions(t *testing.T) {
	w := inMemory(t)
	for _, request := range []string{"", "7", "[]", "{}", `{"type":""}`, `{"type":7}`, `{"type":"x"`} {
		_, err := w.Park(t.Context(), durable.Question{TurnID: "t1", CheckpointID: "c1", Request: []byte(request)})
		require.ErrorIs(t, err, fault.BadRequest, request)
	}
	for _, q := range []durable.Question{{TurnID: "t1"}, {CheckpointID: "c1"}, {TurnID: "t\xff", CheckpointID: "c1"}, {TurnID: "t1", CheckpointID: "c\xff"}} {
		q.Request = []byte(`{"type":"x"}`)
		_, err := w.Park(t.Context(), q)
		requireFault(t, err, fault.BadInput)
	}
	require.Empty(t, w.types())
}

// The first open park of the checkpoint, as it was before; its deadline is not
// looked at; without one, nothing is recorded.
func TestUnparkAndExpire(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		none := func(p *park.Park, err error) {
			t.Helper()
			require.NoError(t, err)
			require.Nil(t, p)
		}
		none(w.Unpark(t.Context(), "c1", []byte(approve), human))
		none(w.Expire(t.Context(), "c1"))
		require.Empty(t, w.types())

		asked := w.ask("c1", 10)
		w.now += 10
		p, err := w.Unpark(t.Context(), "c1", []byte(approve), human)
		require.NoError(t, err)
		require.Equal(t, *asked, clean(p), "an answer to one that is past its deadline counts")
		require.Contains(t, w.records()[1], `"turnId":"t1","decisionId":"c1","decision":`+approve+`,"resolvedBy":{"kind":"user","role":"owner","tenantId":"acme"}}`)
		none(w.Unpark(t.Context(), "c1", []byte(approve), human))
		none(w.Expire(t.Context(), "c1"))

		w.ask("c2", 0)
		p, err = w.Expire(t.Context(), "c2")
		require.NoError(t, err)
		require.False(t, p.Resolved)
		none(w.Unpark(t.Context(), "c2", []byte(approve), human))
		require.Equal(t, "decision_requested decision_resolved decision_requested decision_expired", w.types())
		require.NotContains(t, w.records()[3], "reason", "the reason is fixed, and stands in no record")
	})
}

// clean is a park without where it stood in a fold.
func clean(p *park.Park) park.Park {
	return park.Park{
		DecisionID: p.DecisionID, TurnID: p.TurnID, CheckpointID: p.CheckpointID, Seq: p.Seq, Generation: p.Generation, Request: p.Request,
		ParkedAt: p.ParkedAt, DeadlineAt: p.DeadlineAt, HasDeadline: p.HasDeadline, Resolved: p.Resolved, Expired: p.Expired,
		ResolvedAt: p.ResolvedAt, ResolvedSeq: p.ResolvedSeq, Decision: p.Decision, ResolvedBy: p.ResolvedBy,
	}
}

// A decision that the turn carries out itself is that of the system.
func TestUnparkBySystem(t *testing.T) {
	w := inMemory(t)
	w.ask("c1", 0)
	_, err := w.Unpark(t.Context(), "c1", []byte(approve), park.System("acme"))
	require.NoError(t, err)
	require.Contains(t, w.records()[1], `"resolvedBy":{"kind":"system","role":"sys_approval_policy","tenantId":"acme"}`)
}

// The first open one, in the order of the requests.
func TestUnparkTakesTheFirst(t *testing.T) {
	w := inMemory(t)
	w.add(`decision_requested,"decisionId":"d1","checkpointId":"c1","request":{"type":"a"}`,
		`decision_requested,"decisionId":"d2","checkpointId":"c1","request":{"type":"b"}`)
	for _, want := range []string{"d1", "d2"} {
		p, err := w.Unpark(t.Context(), "c1", []byte(approve), human)
		require.NoError(t, err)
		require.Equal(t, want, p.DecisionID)
	}
}

// What is past its deadline, oldest first, and an answered one never.
func TestSweep(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		for i, id := range []string{"c1", "c2", "c3", "c4"} {
			w.ask(id, int64(10*(4-i)))
		}
		_, err := w.Unpark(t.Context(), "c2", []byte(approve), human)
		require.NoError(t, err)
		w.now += 25
		ended, err := w.Sweep(t.Context())
		require.NoError(t, err)
		require.Len(t, ended, 2)
		require.Equal(t, []string{"c3", "c4"}, []string{ended[0].DecisionID, ended[1].DecisionID})
		require.False(t, ended[0].Resolved, "as they were before")
		ended, err = w.Sweep(t.Context())
		require.NoError(t, err)
		require.Empty(t, ended)
		require.Equal(t, "c1", w.pending(""))
		require.Equal(t, 2, strings.Count(w.types(), "decision_expired"))
	})
}

// an answer counts until an expiry is recorded, then it does not.
func TestAnswer(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		asked := w.ask("c1", 10)
		w.now += 20
		p, err := w.Answer(t.Context(), "c1", fence(asked), []byte(`{"action":"reject_plan","feedback":"\u00e9"}`), human)
		require.NoError(t, err)
		require.Equal(t, events.Seq(2), p.ResolvedSeq)
		require.Equal(t, `{"action":"reject_plan","feedback":"\u00e9"}`, string(p.Decision), "byte for byte")
		require.Equal(t, `{"kind":"user","role":"owner","tenantId":"acme"}`, string(p.ResolvedBy))

		first, err := w.Answer(t.Context(), "c1", fence(asked), []byte(approve), human)
		requireFault(t, err, fault.DecisionAnswered)
		require.Equal(t, clean(p), clean(first), "with the first answer")

		_, err = w.Answer(t.Context(), "c9", durable.Fence{Seq: 1, Generation: "1"}, []byte(approve), human)
		requireFault(t, err, fault.UnknownDecision)

		asked = w.ask("c2", 10)
		w.now += 20
		_, err = w.Sweep(t.Context())
		require.NoError(t, err)
		first, err = w.anew().Answer(t.Context(), "c2", fence(asked), []byte(approve), human)
		requireFault(t, err, fault.DecisionExpired)
		require.True(t, first.Expired)
		require.Equal(t, park.Pause, string(first.Decision))
		require.Equal(t, 1, strings.Count(w.types(), "decision_resolved"))
	})
}

// an answer to a question that stands elsewhere now is stale, and one that is
// asked anew takes a new answer.
func TestStaleAnswers(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		asked := w.ask("c1", 0)
		again := w.ask("c1", 0)
		for name, f := range map[string]durable.Fence{
			"the older form":     fence(asked),
			"nowhere":            {},
			"no generation":      {Seq: again.Seq},
			"another generation": {Seq: again.Seq, Generation: "2"},
			"another seq":        {Seq: again.Seq + 1, Generation: again.Generation},
		} {
			_, err := w.Answer(t.Context(), "c1", f, []byte(approve), human)
			requireFault(t, err, fault.StaleDecision, name)
		}
		_, err := w.Answer(t.Context(), "c1", fence(again), []byte(approve), human)
		require.NoError(t, err)
		third := w.ask("c1", 0)
		_, err = w.Answer(t.Context(), "c1", fence(again), []byte(approve), human)
		requireFault(t, err, fault.StaleDecision)
		_, err = w.Answer(t.Context(), "c1", fence(third), []byte(approve), human)
		require.NoError(t, err)
	})
}

// what is no answer is refused; what nobody knows is kept as it is.
func TestDecisions(t *testing.T) {
	w := inMemory(t)
	asked := w.ask("c1", 0)
	for _, decision := range []string{"", "7", "[]", "{}", `{"action":7}`, `{"action":"reject_plan"}`, `{"action":"continue"`} {
		_, err := w.Answer(t.Context(), "c1", fence(asked), []byte(decision), human)
		require.ErrorIs(t, err, fault.BadDecision, decision)
		_, err = w.Unpark(t.Context(), "c1", []byte(decision), human)
		require.ErrorIs(t, err, fault.BadDecision, decision)
	}
	require.Equal(t, "decision_requested", w.types())
	unknown := `{"action":"answer_question", "x":[1.50]}`
	p, err := w.Answer(t.Context(), "c1", fence(asked), []byte(unknown), human)
	require.NoError(t, err)
	require.Equal(t, unknown, string(p.Decision))
}

// many answer at once; one is recorded, and all are told which.
func TestTheFirstAnswerWins(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		const many = 32
		asked := w.ask("c1", 0)
		parks, errs := make([]*park.Park, many), make([]error, many)
		var ready, all sync.WaitGroup
		ready.Add(1)
		for i := range many {
			all.Go(func() {
				ready.Wait()
				parks[i], errs[i] = w.Answer(t.Context(), "c1", fence(asked), fmt.Appendf(nil, `{"action":"reject_plan","feedback":"%d"}`, i), human)
			})
		}
		ready.Done()
		all.Wait()
		won := ""
		for i, err := range errs {
			if err == nil {
				require.Empty(t, won, "two answers count")
				won = fmt.Sprintf(`{"action":"reject_plan","feedback":"%d"}`, i)
			} else {
				requireFault(t, err, fault.DecisionAnswered)
			}
		}
		require.NotEmpty(t, won)
		for _, p := range parks {
			require.Equal(t, won, string(p.Decision))
		}
		require.Equal(t, "decision_requested decision_resolved", w.types(), "exactly one record")
	})
}

// overtaken is a log in which somebody else's record comes just before ours.
type overtaken struct {
	sessionlog.Log
	text string
}

func (o overtaken) Append(ctx context.Context, g events.Generation, text []byte) (sessionlog.Event, error) {
	if _, err := o.Log.Append(ctx, g, []byte(o.text)); err != nil {
		return sessionlog.Event{}, err
	}
	return o.Log.Append(ctx, g, text)
}

// An answer that is recorded behind another writer's does not count, and its sender
// is told so.
func TestAnAnswerThatWasOvertaken(t *testing.T) {
	for text, want := range map[string]fault.ID{
		`{"type":"decision_resolved","turnId":"t1","decisionId":"c1","decision":{"action":"abort"}}`: fault.DecisionAnswered,
		`{"type":"decision_expired","turnId":"t1","decisionId":"c1"}`:                                fault.DecisionExpired,
	} {
		w := inMemory(t)
		asked := w.ask("c1", 0)
		w.o.Log = overtaken{w.log, text}
		first, err := w.anew().Answer(t.Context(), "c1", fence(asked), []byte(approve), human)
		requireFault(t, err, want)
		require.Equal(t, events.Seq(2), first.ResolvedSeq)
	}
}

// followed is a log in which somebody else's record comes just behind ours.
type followed struct {
	sessionlog.Log
	text string
}

func (f followed) Append(ctx context.Context, g events.Generation, text []byte) (sessionlog.Event, error) {
	event, err := f.Log.Append(ctx, g, text)
	if err == nil {
		_, err = f.Log.Append(ctx, g, []byte(f.text))
	}
	return event, err
}

// What comes behind an answer takes nothing from it, not even that the question is
// asked anew at once.
func TestAnAnswerThatIsFollowed(t *testing.T) {
	for _, text := range []string{
		`{"type":"decision_resolved","turnId":"t1","decisionId":"c1","decision":{"action":"abort"}}`,
		`{"type":"decision_requested","turnId":"t1","decisionId":"c1","checkpointId":"c1","request":{"type":"x"}}`,
	} {
		w := inMemory(t)
		asked := w.ask("c1", 0)
		w.o.Log = followed{w.log, text}
		p, err := w.anew().Answer(t.Context(), "c1", fence(asked), []byte(approve), human)
		require.NoError(t, err)
		require.Equal(t, events.Seq(2), p.ResolvedSeq)
		require.Equal(t, approve, string(p.Decision))
	}
}

// lost is a log that lost its tail before an answer could be looked at.
type lost struct{ sessionlog.Log }

func (l lost) Append(ctx context.Context, g events.Generation, text []byte) (sessionlog.Event, error) {
	event, err := l.Log.Append(ctx, g, text)
	l.Log.(interface{ Lose(events.Seq) }).Lose(0)
	return event, err
}

func TestAnAnswerThatWasLost(t *testing.T) {
	w := inMemory(t)
	asked := w.ask("c1", 0)
	w.o.Log = lost{w.log}
	_, err := w.anew().Answer(t.Context(), "c1", fence(asked), []byte(approve), human)
	requireFault(t, err, fault.StaleDecision)
}

// Sessions that nobody shares may record more, but say the same: the first counts.
func TestTheFirstAnswerWinsAcrossSessions(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		const many = 8
		asked := w.ask("c1", 0)
		parks, errs := make([]*park.Park, many), make([]error, many)
		var all sync.WaitGroup
		for i := range many {
			own, err := durable.New(w.o)
			require.NoError(t, err)
			all.Go(func() {
				parks[i], errs[i] = own.Answer(t.Context(), "c1", fence(asked), fmt.Appendf(nil, `{"action":"reject_plan","feedback":"%d"}`, i), human)
			})
		}
		all.Wait()
		won := 0
		for i, err := range errs {
			if err == nil {
				won++
			} else {
				requireFault(t, err, fault.DecisionAnswered)
			}
			require.Equal(t, string(parks[0].Decision), string(parks[i].Decision))
		}
		require.Equal(t, 1, won)
	})
}
