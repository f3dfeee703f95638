package abi

import (
	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// thrown is a thrown value as a host describes it.
type thrown struct {
	kind         string
	code         string
	message      string
	details      fault.Details
	retryable    bool
	hasRetryable bool
	status       fault.Number
	retryAfter   fault.Number
	providerID   *string
	name         string
	text         string
	object       bool
	hint         string
	rule         string
	expected     string
	found        string
}

func (t *thrown) member(name string, raw []byte) (err error) {
	switch name {
	case "kind":
		err = readText(&t.kind, name, raw)
	case "code":
		err = readText(&t.code, name, raw)
	case "message":
		err = readText(&t.message, name, raw)
	case "name":
		err = readText(&t.name, name, raw)
	case "text":
		err = readText(&t.text, name, raw)
	case "rule":
		err = readText(&t.rule, name, raw)
	case "expected":
		err = readText(&t.expected, name, raw)
	case "found":
		err = readText(&t.found, name, raw)
	case "object":
		err = readBool(&t.object, name, raw)
	case "details":
		t.details = fault.Details(raw)
	case "retryable":
		t.hasRetryable = true
		err = readBool(&t.retryable, name, raw)
	case "status":
		t.status = fault.Number(raw)
	case "retryAfterMs":
		t.retryAfter = fault.Number(raw)
	case "providerId":
		t.providerID = new(string)
		err = readText(t.providerID, name, raw)
	case "hint": // one that is no text is no hint
		t.hint, _ = rawjson.Text(raw)
	default:
		err = unknown(fault.BadInput, name)
	}
	return err
}

// readThrown answers a value that the catalog can look at.
func readThrown(arg []byte) (any, error) {
	var t thrown
	if err := readObject(arg, fault.BadInput, t.member); err != nil {
		return nil, err
	}
	if t.kind == "value" {
		return fault.Value{Text: t.text, Object: t.object, Name: t.name}.WithHint(t.hint), nil
	}
	err, bad := t.err()
	if bad != nil {
		return nil, bad
	}
	if t.name != "" {
		err = fault.WithName(err, t.name)
	}
	if t.hint != "" {
		err = fault.WithHint(err, t.hint)
	}
	return err, nil
}

func (t *thrown) err() (thrown error, bad error) {
	switch t.kind {
	case "coded":
		return t.coded()
	case "provider":
		return &fault.ProviderError{
			Code: t.code, Message: t.message, Retryable: t.retryable,
			ProviderID: t.providerID, Status: t.status, RetryAfterMs: t.retryAfter,
		}, nil
	case "error":
		return plainError(t.message), nil
	case "fault":
		id, ok := fault.ParseID(t.rule)
		if !ok {
			return nil, fault.New(fault.BadInput, "rule: the id of a stream rule", clip([]byte(t.rule)))
		}
		return fault.New(id, t.expected, t.found), nil
	}
	return nil, fault.New(fault.BadInput, "kind: coded, provider, error, fault or value", clip([]byte(t.kind)))
}

func (t *thrown) coded() (error, error) {
	code, ok := fault.ParseCode(t.code)
	if !ok { // of another version: it keeps its code
		return fault.PlatformError{Code: t.code, Message: t.message, Details: t.details, Retryable: t.retryable}, nil
	}
	e := fault.Coded(code, t.message).WithDetails(t.details)
	if t.hasRetryable {
		e.Retryable = t.retryable
	}
	return e, nil
}

// plainError is an error of which only the message is known.
type plainError string

func (e plainError) Error() string { return string(e) }

// explain answers the catalog's explanation of a thrown value, or null.
func explain(arg []byte) ([]byte, error) {
	v, err := readThrown(arg)
	if err != nil {
		return nil, err
	}
	x, ok := fault.Explain(v)
	if !ok {
		return null, nil
	}
	w := rawjson.Begin(nil)
	w.Text("id", x.ID)
	w.Text("message", x.Message)
	w.Text("hint", x.Hint)
	return w.End(), nil
}

// normalize answers the normal form of a thrown value.
func normalize(arg []byte) ([]byte, error) {
	v, err := readThrown(arg)
	if err != nil {
		return nil, err
	}
	p := fault.Normalize(v)
	w := rawjson.Begin(nil)
	w.Text("code", p.Code)
	w.Text("message", p.Message)
	if p.Details.IsSet() {
		w.Raw("details", []byte(p.Details))
	}
	w.Bool("retryable", p.Retryable)
	return w.End(), nil
}

// facts answers what the rules see of a thrown value.
func facts(arg []byte) ([]byte, error) {
	v, err := readThrown(arg)
	if err != nil {
		return nil, err
	}
	f := fault.FactsOf(v)
	w := rawjson.Begin(nil)
	w.Text("message", f.Message)
	if f.HasCode() {
		w.Text("code", f.Code)
	}
	if f.Status != "" {
		w.Raw("status", []byte(f.Status))
	}
	if f.RetryAfterMs != "" {
		w.Raw("retryAfterMs", []byte(f.RetryAfterMs))
	}
	w.Known("name", f.Name)
	w.Known("hint", f.Hint)
	return w.End(), nil
}
