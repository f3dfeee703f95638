package vectors

import (
	"encoding/json"
	"errors"
	"strconv"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/profile"
	"github.com/tidemark-stream/tidemark/wasm/abi"
)

// Cases after public bug reports, and ours in the same form.

var (
	caseKeys  = titleKeys.with(keys("id", "kind", "source", "fault", "fault_text", "correct_client", "note"))
	standKeys = keys("verdicts", "cursor", "generation")
	startKeys = keys("session", "profile", "start_cursor", "start_generation")

	trackerKeys = caseKeys.with(shape{
		"input":    startKeys.with(shape{"observations": keys("event", "verdict")}),
		"expected": standKeys.with(shape{"also_ok": standKeys}), "also_ok": standKeys,
	})
	jsonKeys = caseKeys.with(shape{
		"input":    startKeys.with(keys("raw_events")),
		"expected": standKeys.with(shape{"also_ok": standKeys}), "also_ok": standKeys,
	})

	answerKeys   = keys("verdict", "reason", "detail", "deliver", "error")
	resolverKeys = caseKeys.with(shape{
		"input": keys("session", "profile", "cursor", "cursor_generation", "events", "more").
			with(shape{"head": keys("seq", "generation")}),
		"expected": answerKeys.with(shape{"also_ok": answerKeys}), "also_ok": answerKeys,
	})
)

// alternatives is the outcome that is expected and those that are as good,
// which stand inside it or beside it.
func alternatives(v vector) ([]any, error) { return alternativesTo(v, v.object("expected")) }

func alternativesTo(v vector, expected members) ([]any, error) {
	also := append(expected.list("also_ok"), v.list("also_ok")...)
	delete(expected, "also_ok")
	if len(expected) == 0 {
		return nil, errors.New("no member expected")
	}
	return expectations(append([]json.RawMessage{expected.raw()}, also...)...)
}

// trackerWanted: the verdicts stand beside the events they are given on.
func trackerWanted(v vector) ([]any, error) {
	expected := v.object("expected")
	if expected == nil {
		return nil, errors.New("no member expected")
	}
	var verdicts []json.RawMessage
	for _, raw := range v.object("input").list("observations") {
		observed := members{"observation": raw}.object("observation")
		if observed["verdict"] != nil {
			verdicts = append(verdicts, observed["verdict"])
		}
	}
	if expected["verdicts"] == nil {
		expected["verdicts"], _ = json.Marshal(verdicts) // raw values that were read before
	}
	return alternativesTo(v, expected)
}

func runTracker(v vector) (any, error) {
	in := v.object("input")
	var observed [][]byte
	for _, raw := range in.list("observations") {
		observed = append(observed, bare(members{"observation": raw}.object("observation")["event"]))
	}
	return observe(in, observed)
}

func runJSON(v vector) (any, error) {
	in := v.object("input")
	var observed [][]byte
	for _, raw := range in.list("raw_events") {
		text, ok := textOf(raw)
		if !ok {
			return nil, errors.New("raw_events holds something that is no text")
		}
		observed = append(observed, []byte(text))
	}
	return observe(in, observed)
}

// observe shows events to a tracker and answers its verdicts and where it
// stands.
func observe(in members, observed [][]byte) (any, error) {
	if len(observed) == 0 {
		return nil, errors.New("nothing is observed")
	}
	start, err := in.start()
	if err != nil {
		return orError(nil, err)
	}
	var s seam
	h, err := s.open(abi.OpTrackerOpen, encode(start))
	if err != nil {
		return orError(nil, err)
	}
	verdicts := make([]any, 0, len(observed))
	for _, event := range observed {
		decision, err := s.ask(abi.OpTrackerObserve, h, event)
		if err != nil {
			return nil, err
		}
		verdicts = append(verdicts, field(decision, "verdict"))
	}
	state, err1 := s.ask(abi.OpTrackerState, h, nil)
	_, err2 := s.ask(abi.OpTrackerClose, h, nil)
	return stand(verdicts, state), errors.Join(err1, err2)
}

// stand is an outcome as cases write it: the token without its generation, and
// the generation beside it.
func stand(verdicts []any, state any) map[string]any {
	outcome := map[string]any{"verdicts": verdicts, "cursor": nil, "generation": field(state, "generation")}
	if seq, ok := field(state, "seq").(json.Number); ok {
		outcome["cursor"] = field(state, "session").(string) + ":" + seq.String()
	}
	return outcome
}

// start is the arguments of a tracker.
func (m members) start() (members, error) {
	some := m.pick("session", "profile")
	token, err := m.fenced("start_cursor", "start_generation")
	if !absent(token) {
		some["cursor"] = token
	}
	return some, err
}

// fenced is the token in one member with the generation that stands in another.
// A token that cannot be read stays as it is: it is the core's to refuse.
func (m members) fenced(token, generation string) (json.RawMessage, error) {
	text, ok := textOf(m[token])
	if !ok || absent(m[generation]) {
		return m[token], nil
	}
	base, err := m.base()
	if err != nil {
		return nil, err
	}
	c, err := cursor.Parse(text, base)
	if err != nil {
		return m[token], nil
	}
	if c.Generation, ok = events.ParseGeneration(bare(m[generation])); !ok {
		return nil, &fault{"invalid_cursor", "a generation", string(m[generation])}
	}
	return quote(c.Token(base)), nil
}

// base is the first seq on the wire of the case's profile.
func (m members) base() (events.Seq, error) {
	p, err := m.profile()
	if err != nil {
		return 0, err
	}
	return p.Base, nil
}

func (m members) profile() (*profile.Profile, error) {
	if absent(m["profile"]) {
		return &profile.Session, nil
	}
	return profile.Parse(m["profile"])
}

// runResolver asks what a store would: its page is what the log holds above the
// cursor.
func runResolver(v vector) (any, error) {
	in := v.object("input")
	question := in.pick("session", "profile", "more")
	token, err := in.fenced("cursor", "cursor_generation")
	if err != nil {
		return orError(nil, err)
	}
	if !absent(token) {
		question["cursor"] = token
	}
	question["head"] = json.RawMessage("null")
	if head := in.object("head"); head != nil {
		question["head"] = members{"lastSeq": head["seq"], "generation": head["generation"]}.raw()
	}
	if question["events"], err = in.above(); err != nil {
		return nil, err
	}
	got, err := orError(resolve(question))
	return verdictOf(got), err
}

// verdictOf renames the members of an outcome as cases do.
func verdictOf(outcome any) any {
	object, ok := outcome.(map[string]any)
	if !ok || object["error"] != nil {
		return outcome
	}
	deliver, _ := object["seqs"].([]any)
	return map[string]any{
		"verdict": object["status"], "reason": object["reason"], "detail": object["detail"],
		"deliver": append([]any{}, deliver...),
	}
}

// above is the page of a case: what the log holds, without entries that have no
// seq and those whose seq is a number at or below the cursor's.
func (m members) above() (json.RawMessage, error) {
	base, err := m.base()
	if err != nil {
		return nil, err
	}
	from := int64(base) - 1
	if text, ok := textOf(m["cursor"]); ok {
		if c, err := cursor.Parse(text, base); err == nil {
			from = int64(c.Seq) - int64(1-base)
		}
	}
	page := []json.RawMessage{}
	for _, raw := range m.list("events") {
		seq := members{"event": raw}.object("event")["seq"]
		if !absent(seq) && !atMost(bare(seq), from) {
			page = append(page, raw)
		}
	}
	return json.Marshal(page)
}

// atMost reports whether a text is a number at or below n.
func atMost(text []byte, n int64) bool {
	if i, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		return i <= n
	}
	f, err := strconv.ParseFloat(string(text), 64)
	return err == nil && f <= float64(n)
}

func number(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }
