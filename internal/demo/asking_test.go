package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/durable"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// desk is a world whose turns wait for people, with a clock of its own.
type desk struct {
	*world
	now time.Time
}

const (
	pushDesk = iota
	planDesk
	chatDesk
)

func newDesk(t *testing.T, which int) *desk {
	d := &desk{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	d.world = newWorldOf(t, Options{Now: func() time.Time { return d.now }}, func(site *Demo) *Demo { return site.desks[which] })
	return d
}

// later lets time pass. Nothing else runs meanwhile: the agent waits for a tick.
func (d *desk) later(by time.Duration) { d.now = d.now.Add(by) }

func (d *desk) durable() *durable.Session { return d.demo.agent.asking.durable() }

// open is the question that waits, nil for none.
func (d *desk) open() *park.Park {
	p, err := d.durable().Pending(d.t.Context(), "")
	require.NoError(d.t, err)
	return p
}

// untilOpen plays until a question waits.
func (d *desk) untilOpen() *park.Park {
	for range mostAhead {
		if p := d.open(); p != nil {
			return p
		}
		d.play(1)
	}
	d.t.Fatal("no question came")
	return nil
}

func (d *desk) answer(p *park.Park, decision string) error {
	_, err := d.durable().Answer(d.t.Context(), p.DecisionID, durable.Fence{Seq: p.Seq, Generation: p.Generation}, []byte(decision), park.By{Kind: "user"})
	return err
}

// ofTurn are the types of a turn's records above a seq.
func (d *desk) ofTurn(turn string, above events.Seq) (kinds []string, texts string) {
	truth := d.truth()
	for seq := above + 1; seq <= d.head(); seq++ {
		var e struct{ Type, TurnID string }
		require.NoError(d.t, json.Unmarshal([]byte(truth[seq]), &e))
		if e.TurnID == turn {
			kinds, texts = append(kinds, e.Type), texts+truth[seq]+"\n"
		}
	}
	return kinds, texts
}

// untilOver plays until a turn has ended, or paused for good.
func (d *desk) untilOver(turn string, above events.Seq) (kinds []string, texts string) {
	for range mostAhead {
		if kinds, texts = d.ofTurn(turn, above); slices.ContainsFunc(kinds, isOver) {
			return kinds, texts
		}
		d.play(1)
	}
	d.t.Fatalf("the turn stopped at %v", kinds)
	return nil, ""
}

func isOver(kind string) bool {
	return kind == "turn_completed" || kind == "turn_failed" || kind == "turn_paused"
}

func TestADeskBeginsWithAQuestion(t *testing.T) {
	for which, c := range []struct {
		kind string
		wait time.Duration
	}{{"tool_review", pushWaits}, {"plan_approval", planWaits}, {"user_question", questionWaits}} {
		d := newDesk(t, which)
		p := d.open()
		require.NotNil(t, p)
		require.Equal(t, c.kind, p.RequestType())
		require.Equal(t, c.wait.Milliseconds(), p.DeadlineAt-p.ParkedAt)
		require.NotContains(t, d.demo.agent.open, p.TurnID, "it is paused")
		back, err := d.durable().Restore(t.Context(), p.TurnID, p.CheckpointID)
		require.NoError(t, err)
		require.Equal(t, p.Seq, back.Pending.Seq)
		require.Contains(t, string(back.LatestUserMessage), `"role":"user"`)
		kinds, _ := d.ofTurn(p.TurnID, p.Seq)
		require.Equal(t, []string{"turn_paused"}, kinds)
	}
}

func TestATurnGoesOnAsItWasAnswered(t *testing.T) {
	for _, c := range []struct {
		name     string
		desk     int
		decision string // %id is that of the call
		kinds    []string
		says     []string
		silent   []string // what may not be said
	}{
		{"approved", pushDesk, `{"action":"approve_tools"}`, []string{"turn_resuming", "tool_review_completed", "tool_executing", "tool_completed", "turn_completed"},
			[]string{`"decision":"approved"`, "git push origin", `"isError":false`}, nil},
		{"modified", pushDesk, `{"action":"modify_tools","modifications":[{"toolUseId":"%id","input":{"command":"git push --dry-run"}}]}`,
			[]string{"tool_review_completed", "tool_executing", "turn_completed"}, []string{`"decision":"modified"`, "git push --dry-run"}, []string{"git push origin"}},
		{"modified into another call", pushDesk, `{"action":"modify_tools","modifications":[{"toolUseId":"toolu_else","input":{"command":"rm"}}]}`,
			[]string{"tool_review_completed", "tool_completed", "turn_completed"}, []string{`"decision":"rejected"`}, []string{"tool_executing"}},
		{"rejected", pushDesk, `{"action":"reject_tools","feedback":"Not on a Friday."}`,
			[]string{"tool_review_completed", "tool_completed", "turn_completed"}, []string{`"decision":"rejected"`, "declined: Not on a Friday.", `"isError":true`}, []string{"tool_executing"}},
		{"an approval of something else", pushDesk, `{"action":"approve_plan"}`, []string{"turn_completed"}, []string{`"decision":"rejected"`}, []string{"tool_executing"}},
		{"an action nobody knows", pushDesk, `{"action":"escalate"}`, []string{"turn_completed"}, []string{`"decision":"rejected"`}, []string{"tool_executing"}},
		{"aborted", pushDesk, `{"action":"abort"}`, []string{"turn_failed"}, []string{`"code":"aborted"`}, []string{"tool_executing"}},
		{"left parked", pushDesk, `{"action":"pause"}`, []string{"turn_paused"}, []string{"Nobody reviewed"}, []string{"turn_resuming"}},
		{"plan approved", planDesk, `{"action":"approve_plan"}`, []string{"plan_approved", "plan_step_updated", "plan_completed", "turn_completed"}, nil, nil},
		{"plan rejected", planDesk, `{"action":"reject_plan","feedback":"Too big."}`, []string{"plan_rejected", "turn_completed"}, []string{`"reason":"Too big."`}, []string{"plan_approved", "tool_executing"}},
		{"plan aborted", planDesk, `{"action":"abort"}`, []string{"plan_rejected", "turn_failed"}, nil, []string{"plan_approved"}},
		{"told", chatDesk, `{"action":"answer","text":"Both."}`, []string{"user_question_answered", "tool_completed", "turn_completed"},
			[]string{`"answered":true`, "As you said: Both."}, nil},
		{"declined", chatDesk, `{"action":"answer"}`, []string{"user_question_answered", "turn_completed"}, []string{`"answered":false`, "changed nothing"}, []string{"edit_file"}},
		{"continue is no answer", chatDesk, `{"action":"continue"}`, []string{"turn_completed"}, []string{`"answered":false`}, []string{"edit_file"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t, c.desk)
			p := d.open()
			var request struct{ ToolCalls []struct{ ToolUseID string } }
			require.NoError(t, json.Unmarshal(p.Request, &request))
			if len(request.ToolCalls) > 0 {
				c.decision = strings.ReplaceAll(c.decision, "%id", request.ToolCalls[0].ToolUseID)
			}
			at := d.head()
			require.NoError(t, d.answer(p, c.decision))
			kinds, texts := d.untilOver(p.TurnID, at+1)
			requireOrder(t, c.kinds, kinds)
			for _, s := range c.says {
				require.Contains(t, texts, s)
			}
			for _, s := range c.silent {
				require.NotContains(t, texts, s)
			}
			require.NotEqual(t, p.DecisionID, d.untilOpen().DecisionID, "another question comes")
		})
	}
}

// requireOrder wants these types among the others, in this order.
func requireOrder(t *testing.T, want, got []string) {
	for _, kind := range got {
		if len(want) > 0 && kind == want[0] {
			want = want[1:]
		}
	}
	require.Empty(t, want, "in %v", got)
}

func TestNobodyComes(t *testing.T) {
	for which := range deskKinds {
		d := newDesk(t, which)
		p := d.open()
		d.later(time.Duration(p.DeadlineAt-p.ParkedAt-1) * time.Millisecond)
		d.play(3)
		require.NotNil(t, d.open(), "a millisecond is left")
		at := d.head()
		d.later(time.Millisecond)
		kinds, texts := d.untilOver(p.TurnID, at)
		require.Equal(t, "decision_expired", kinds[0])
		require.Equal(t, "turn_paused", kinds[len(kinds)-1])
		require.Contains(t, texts, "Nobody ")
		require.NotContains(t, texts, "turn_resuming")
		require.ErrorIs(t, d.answer(p, `{"action":"approve_tools"}`), fault.DecisionExpired)
		d.untilOpen()
	}
}

func TestATakeoverLeavesAQuestionWhereItWas(t *testing.T) {
	d := newDesk(t, planDesk)
	p := d.open()
	d.fault("takeover")
	again := d.open()
	require.NotNil(t, again)
	require.Equal(t, []any{p.DecisionID, p.Seq, p.Generation, p.DeadlineAt}, []any{again.DecisionID, again.Seq, again.Generation, again.DeadlineAt})
	at := d.head()
	require.NoError(t, d.answer(again, `{"action":"approve_plan"}`))
	kinds, texts := d.untilOver(p.TurnID, at)
	requireOrder(t, []string{"decision_resolved", "turn_resuming", "plan_completed", "turn_completed"}, kinds)
	require.Contains(t, texts, `"generation":2`)
}

// An answer that a takeover takes away was given to a log that is no longer there:
// the question waits again.
func TestATakeoverLosesAnAnswer(t *testing.T) {
	d := newDesk(t, planDesk)
	p := d.open()
	require.NoError(t, d.answer(p, `{"action":"approve_plan"}`))
	d.play(4)
	_, err := d.demo.ask(t.Context(), "", func(room *Demo, ctx context.Context, _ *Report) (err error) {
		a := room.agent
		was := a.standing()
		a.log.Lose(p.Seq + 1)
		a.plan, err = a.resumed(ctx, was)
		return err
	})
	require.NoError(t, err)
	require.Equal(t, p.DecisionID, d.open().DecisionID)
	require.True(t, d.demo.agent.waits())
	require.NoError(t, d.answer(d.open(), `{"action":"reject_plan","feedback":"No."}`))
	kinds, _ := d.untilOver(p.TurnID, p.Seq+1)
	requireOrder(t, []string{"decision_resolved", "plan_rejected", "turn_completed"}, kinds)
}

// A question whose checkpoint cannot be proven is settled, and its turn ends.
func TestATurnThatCannotGoOnIsNotWaitedFor(t *testing.T) {
	d := newDesk(t, planDesk)
	p := d.open()
	require.NoError(t, d.demo.agent.asking.documents.Delete(t.Context(), d.demo.agent.runOf(d.demo.agent.asking.asks[0]), p.CheckpointID))
	at := d.head()
	d.fault("takeover")
	require.Nil(t, d.open())
	kinds, _ := d.untilOver(p.TurnID, at)
	requireOrder(t, []string{"decision_expired", "turn_failed"}, kinds)
}

// Whatever happens, each question that can be answered has a turn that waits for
// it, and no other turn waits.
func TestNoQuestionIsDead(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for which := range deskKinds {
		d := newDesk(t, which)
		seen := map[string]bool{}
		for range 150 {
			switch n := rng.IntN(20); {
			case n < 8:
				d.play(1 + rng.IntN(60))
			case n < 10:
				d.fault("takeover")
			case n < 11:
				d.fault("lose")
			case n < 13:
				d.later(20 * time.Second)
			case n < 15 && d.open() != nil:
				require.NoError(t, d.answer(d.open(), `{"action":"pause"}`))
			default:
				if p := d.open(); p != nil {
					require.NoError(t, d.answer(p, pick(rng, []string{`{"action":"approve_plan"}`, `{"action":"approve_tools"}`, `{"action":"answer","text":"x"}`, `{"action":"abort"}`})))
				}
			}
			d.requireNoneDead(seen)
		}
		require.Greater(t, len(seen), 5)
	}
}

func (d *desk) requireNoneDead(seen map[string]bool) {
	parks, err := d.durable().Parks(d.t.Context())
	require.NoError(d.t, err)
	waiting := map[string]bool{}
	for _, q := range d.demo.agent.asking.asks {
		if q.waits {
			waiting[q.decision] = true
			require.NotNil(d.t, parkOf(parks, q.decision), "nobody can answer")
		}
	}
	for _, p := range parks {
		seen[p.DecisionID] = true
		require.True(d.t, p.Resolved || waiting[p.DecisionID], "%s waits for nothing", p.DecisionID)
	}
}

func TestCheckpointsAreForgottenWithTheirQuestions(t *testing.T) {
	d := newDesk(t, chatDesk)
	for range keepAsks + 3 {
		p := d.untilOpen()
		require.NoError(t, d.answer(p, `{"action":"answer","text":"Yes."}`))
		d.play(200)
	}
	rows := 0
	for _, q := range d.demo.agent.asking.asks {
		ids, err := d.demo.agent.asking.documents.IDs(t.Context(), d.demo.agent.runOf(q))
		require.NoError(t, err)
		rows += len(ids)
	}
	require.Equal(t, keepAsks, rows)
	require.Len(t, d.demo.agent.asking.asks, keepAsks)
}

// A long log ends where nobody is waited for, and another one begins.
func TestADeskTurnsItsLogOver(t *testing.T) {
	d := newDesk(t, chatDesk)
	d.demo.agent.asking.most = 200
	for range mostAhead {
		if p := d.open(); p != nil {
			require.NoError(t, d.answer(p, `{"action":"answer","text":"Yes."}`))
		}
		d.play(20)
		if h, _ := d.demo.agent.log.Head(t.Context()); h.Generation == "3" {
			break
		}
	}
	h, err := d.demo.agent.log.Head(t.Context())
	require.NoError(t, err)
	require.Equal(t, events.Generation("3"), h.Generation)
	d.requireNoneDead(map[string]bool{})
	require.NotNil(t, d.untilOpen())
}

// The route answers as the agent's own Session does, and the turn goes on.
func TestAQuestionIsAnsweredOverHTTP(t *testing.T) {
	d := newDesk(t, planDesk)
	p := d.open()
	body := fmt.Sprintf(`{"decision":{"action":"approve_plan"},"seq":%d,"generation":%s}`, p.Seq, p.Generation)
	post := func(body string) (int, string) {
		response, err := http.Post("http://"+d.host+d.v1("decisions/"+p.DecisionID), "application/json", strings.NewReader(body))
		require.NoError(t, err)
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		return response.StatusCode, string(text)
	}
	status, text := post(strings.Replace(body, `"seq":`, `"seq":1`, 1))
	require.Equal(t, http.StatusConflict, status, text)
	require.Contains(t, text, "durable.stale_decision")
	at := d.head()
	status, text = post(body)
	require.Equal(t, http.StatusOK, status, text)
	require.Contains(t, text, `"role":"visitor"`)
	status, text = post(body)
	require.Equal(t, http.StatusConflict, status, text)
	require.Contains(t, text, `"first":{"decision":{"action":"approve_plan"}`)
	kinds, _ := d.untilOver(p.TurnID, at)
	requireOrder(t, []string{"decision_resolved", "plan_completed"}, kinds)
	require.Contains(t, d.get("/v1/sessions/"+d.demo.Session()+"/transcript"), `"parks":{`)
	require.Contains(t, d.get("/v1/runs?tenant=ten_demo&park=outstanding"), `"sessionId":"ses_chat0000002a"`)
	require.NotContains(t, d.get("/v1/runs?tenant=ten_demo&park=outstanding"), p.TurnID)
}

func TestOneStreamShowsAllDesks(t *testing.T) {
	d := newDesk(t, chatDesk)
	ids := make([]string, 0, len(deskKinds))
	for _, k := range deskKinds {
		ids = append(ids, k.prefix+"0000002a")
	}
	s := d.watch(ids)
	heads := map[string]bool{}
	for len(heads) < len(ids) {
		f := s.frame()
		for _, id := range ids {
			if f.event == "tidemark.live" && strings.Contains(f.data, id) {
				heads[id] = true
			}
		}
	}
	r := d.fault("takeover")
	require.Equal(t, 1, r.Connections, "the stream is one of this desk too")
	_, err := s.rest()
	require.NoError(t, err)
}

func (d *desk) watch(ids []string) *stream {
	return d.world.open("/v1/sessions/" + ids[0] + "/events?session=" + ids[1] + "&session=" + ids[2])
}
