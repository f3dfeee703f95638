package vectors

import (
	"encoding/json"
	"errors"

	"github.com/tidemark-stream/tidemark/wasm/abi"
)

// Vectors of the contract: resolver, catalog, normal form, classes, tokens.

var (
	titleKeys  = keys("name", "about")
	thrownKeys = keys("kind", "code", "message", "retryable", "details", "status", "retryAfterMs",
		"providerId", "name", "text", "object", "hint")
	evidenceKeys = keys("expectedSeq", "receivedSeq", "savedSeq", "savedGeneration", "observedGeneration",
		"lastSeq", "oldestSeq", "index", "status", "problem")
	outcomeKeys = keys("status", "seqs", "reason", "detail", "index", "error", "from", "cursor", "more").
			with(shape{"evidence": evidenceKeys})
	replayKeys = titleKeys.with(keys("session", "profile", "cursor", "head", "events", "more"),
		shape{"expect": outcomeKeys, "basic_expect": outcomeKeys, "strict_expect": outcomeKeys})
	explanationKeys   = keys("id", "message", "hint")
	catalogStrictKeys = titleKeys.with(shape{"thrown": thrownKeys, "basic_expect": explanationKeys, "strict_expect": explanationKeys})
	catalogKeys       = titleKeys.with(shape{"thrown": thrownKeys, "expect": {
		"facts": keys("message", "code", "status", "retryAfterMs", "name", "hint"), "explanation": explanationKeys}})
	normalKeys = titleKeys.with(shape{"thrown": thrownKeys, "expect": {
		"code": nil, "message": nil, "details": nil, "retryable": nil}})
	tokenKeys     = titleKeys.with(keys("token", "profile"), shape{"expect": keys("session", "seq", "generation", "token", "error")})
	ephemeralKeys = titleKeys.with(keys("type", "expect"))
)

// runReplay asks the resolver. The session is that of the case, else that of the
// first event.
func runReplay(v vector) (any, error) {
	question := v.pick("session", "profile", "more")
	question["cursor"], question["head"], question["events"] = v["cursor"], v["head"], v["events"]
	if events := v.list("events"); question["session"] == nil && len(events) > 0 {
		var first members
		_ = json.Unmarshal(events[0], &first) // an event that is no object names no session
		question["session"] = first["sessionId"]
	}
	return orError(resolve(question))
}

// resolve answers a verdict in the members that expectations use.
func resolve(question members) (any, error) {
	var s seam
	got, err := s.ask(abi.OpResolve, 0, encode(question))
	if err != nil {
		return nil, err
	}
	outcome := map[string]any{"status": field(got, "status")}
	if refusal := field(got, "refusal"); refusal != nil {
		for _, name := range []string{"reason", "detail", "evidence"} {
			outcome[name] = field(refusal, name)
		}
		outcome["index"] = field(outcome["evidence"], "index")
		return outcome, nil
	}
	outcome["cursor"] = field(field(got, "cursor"), "token")
	if outcome["status"] == "replayed" {
		outcome["from"], outcome["more"] = field(got, "from"), field(got, "more")
		outcome["seqs"], err = seqsOf(got)
	}
	return outcome, err
}

// seqsOf counts out the seqs that a verdict hands over.
func seqsOf(replayed any) (seqs []any, err error) {
	from, err1 := field(replayed, "from").(json.Number).Int64()
	count, err2 := field(replayed, "count").(json.Number).Int64()
	for i := range count {
		seqs = append(seqs, number(from+i))
	}
	return seqs, errors.Join(err1, err2)
}

func runCatalog(v vector) (any, error) {
	var s seam
	facts, err1 := s.ask(abi.OpFacts, 0, bare(v["thrown"]))
	explanation, err2 := s.ask(abi.OpExplain, 0, bare(v["thrown"]))
	return map[string]any{"facts": facts, "explanation": explanation}, errors.Join(err1, err2)
}

func runExplain(v vector) (any, error) {
	var s seam
	return s.ask(abi.OpExplain, 0, bare(v["thrown"]))
}

func runNormal(v vector) (any, error) {
	var s seam
	return s.ask(abi.OpNormalize, 0, bare(v["thrown"]))
}

func runEphemeral(v vector) (any, error) {
	name, ok := textOf(v["type"])
	if !ok {
		return nil, errors.New("type is no text")
	}
	var s seam
	described, err := s.ask(abi.OpDescribe, 0, []byte(name))
	return field(described, "class") == "ephemeral", err
}

// runToken reads a token; the answer has its parts and the token as Tidemark
// writes it.
func runToken(v vector) (any, error) {
	var s seam
	return orError(s.ask(abi.OpParseCursor, 0, encode(v.pick("token", "profile"))))
}
