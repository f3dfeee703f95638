package fault

import "github.com/tidemark-stream/tidemark/internal/rawjson"

// ReadThrown reads a value that was thrown on the other side of a seam, written
// as JSON (docs/seam.md): {"kind": "coded" | "provider" | "error" | "fault" |
// "value", …}. The answer is an error, or a [Value], for [Explain], [FactsOf]
// and [Normalize].
//
// A coded error whose code is none of the eight is kept as a [PlatformError].
// Members that are null count as absent, and so does a hint that is no text.
// Unknown members and members of a wrong kind are a [BadInput] fault.
func ReadThrown(text []byte) (any, error) {
	if problem, at := rawjson.Check(text, maxDepth); problem != rawjson.OK {
		return nil, &Fault{ID: BadInput, Expected: "a thrown value as JSON", Found: problem.String(), Offset: int64(at)}
	}
	text = trim(text)
	if kind := rawjson.KindOf(text); kind != rawjson.Object {
		return nil, New(BadInput, "a thrown value as an object", kindNames[kind])
	}
	var t thrown
	for name, raw := range rawjson.Members(text) {
		if err := t.member(string(name), raw); err != nil {
			return nil, err
		}
	}
	return t.value()
}

// Members of a thrown value.
const (
	atKind = iota
	atCode
	atMessage
	atDetails
	atRetryable
	atStatus
	atRetryAfter
	atProviderID
	atName
	atText
	atObject
	atHint
	atRule
	atExpected
	atFound
	atEnd
)

var memberRows = [atEnd]struct {
	name string
	kind rawjson.Kind // Invalid: any
}{
	atKind:       {"kind", rawjson.String},
	atCode:       {"code", rawjson.String},
	atMessage:    {"message", rawjson.String},
	atDetails:    {"details", rawjson.Object},
	atRetryable:  {"retryable", rawjson.Bool},
	atStatus:     {"status", rawjson.Number},
	atRetryAfter: {"retryAfterMs", rawjson.Number},
	atProviderID: {"providerId", rawjson.String},
	atName:       {"name", rawjson.String},
	atText:       {"text", rawjson.String},
	atObject:     {"object", rawjson.Bool},
	atHint:       {"hint", rawjson.Invalid},
	atRule:       {"rule", rawjson.String},
	atExpected:   {"expected", rawjson.String},
	atFound:      {"found", rawjson.String},
}

var kindNames = [...]string{
	rawjson.Invalid: "nothing", rawjson.Null: "null", rawjson.Bool: "true or false", rawjson.Number: "a number",
	rawjson.String: "text", rawjson.Object: "an object", rawjson.Array: "an array",
}

// thrown has the raw text of each member, nil for those that are absent.
type thrown [atEnd][]byte

func (t *thrown) member(name string, raw []byte) error {
	for i := range memberRows {
		row := &memberRows[i]
		if row.name != name {
			continue
		}
		switch kind := rawjson.KindOf(raw); {
		case kind == rawjson.Null:
			t[i] = nil
		case kind != row.kind && row.kind != rawjson.Invalid:
			return New(BadInput, name+": "+kindNames[row.kind], kindNames[kind])
		default:
			t[i] = raw
		}
		return nil
	}
	return New(BadInput, "a thrown value without unknown members", "member "+name)
}

func (t *thrown) text(at int) string {
	text, _ := rawjson.Text(t[at])
	return text
}

// flag is the value of a member that is true or false, and otherwise when it is absent.
func (t *thrown) flag(at int, otherwise bool) bool {
	if t[at] == nil {
		return otherwise
	}
	return t[at][0] == 't'
}

// value makes what the members describe.
func (t *thrown) value() (any, error) {
	var err error
	switch kind := t.text(atKind); kind {
	case "coded":
		err = t.coded()
	case "provider":
		err = t.provider()
	case "error":
		err = plainError(t.text(atMessage))
	case "fault":
		id, ok := ParseID(t.text(atRule))
		if !ok {
			return nil, New(BadInput, "rule: the name of a stream rule", t.text(atRule))
		}
		err = New(id, t.text(atExpected), t.text(atFound))
	case "value":
		v := Value{Text: t.text(atText), Object: t.flag(atObject, false), Name: t.text(atName)}
		return v.WithHint(t.text(atHint)), nil
	default:
		return nil, New(BadInput, "kind: coded, provider, error, fault or value", kind)
	}
	return t.attach(err), nil
}

func (t *thrown) coded() error {
	code, ok := ParseCode(t.text(atCode))
	if !ok {
		return PlatformError{t.text(atCode), t.text(atMessage), Details(t[atDetails]), t.flag(atRetryable, false)}
	}
	return &Error{
		Code: code, Message: t.text(atMessage), Details: Details(t[atDetails]),
		Retryable: t.flag(atRetryable, code.Retryable()),
	}
}

func (t *thrown) provider() error {
	p := &ProviderError{
		Code: t.text(atCode), Message: t.text(atMessage),
		Status: Number(t[atStatus]), RetryAfterMs: Number(t[atRetryAfter]),
	}
	retryable, _ := ProviderRetryable(p.Code)
	p.Retryable = t.flag(atRetryable, retryable)
	if t[atProviderID] != nil {
		p.ProviderID = new(t.text(atProviderID))
	}
	return p
}

// attach adds the name and the hint.
func (t *thrown) attach(err error) error {
	if name := t.text(atName); name != "" {
		err = WithName(err, name)
	}
	if hint := t.text(atHint); hint != "" {
		err = WithHint(err, hint)
	}
	return err
}

// plainError is an error of which only the text is left.
type plainError string

// Error is that text.
func (e plainError) Error() string { return string(e) }
