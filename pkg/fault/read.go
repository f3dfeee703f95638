package fault

import "github.com/tidemark-stream/tidemark/internal/rawjson"

// ReadThrown reads a value that was thrown on the other side of a seam, written
// as JSON (docs/seam.md): {"kind": "coded" | "provider" | "error" | "value", …}.
// The answer is an error, or a [Value], for [Explain], [FactsOf] and [Normalize].
//
// A coded error whose code is none of the eight is kept as a [PlatformError].
// Members that are null count as absent, and so does a hint that is no text.
// Unknown members and members of a wrong kind are a [BadInput] fault.
func ReadThrown(text []byte) (any, error) {
	if problem, at := rawjson.Check(text, maxDepth); problem != rawjson.OK {
		return nil, &Fault{ID: BadInput, Expected: "a thrown value as JSON", Found: problem.String(), Offset: int64(at)}
	}
	text = trim(text)
	if rawjson.KindOf(text) != rawjson.Object {
		return nil, New(BadInput, "a thrown value as a JSON object", "another kind of value")
	}
	var t thrown
	for name, raw := range rawjson.Members(text) {
		if err := t.member(name, raw); err != nil {
			return nil, err
		}
	}
	return t.value()
}

// thrown is what the members said.
type thrown struct {
	kind, code, message, text, name, hint string
	providerID                            *string
	details                               Details
	retryable                             *bool
	status, retryAfter                    Number
	object                                bool
}

// thrownMember is one member of the form: its kind, and where it goes.
type thrownMember struct {
	name string
	kind rawjson.Kind
	put  func(t *thrown, raw []byte)
}

var thrownMembers = [...]thrownMember{
	{"kind", rawjson.String, func(t *thrown, raw []byte) { t.kind, _ = rawjson.Text(raw) }},
	{"code", rawjson.String, func(t *thrown, raw []byte) { t.code, _ = rawjson.Text(raw) }},
	{"message", rawjson.String, func(t *thrown, raw []byte) { t.message, _ = rawjson.Text(raw) }},
	{"details", rawjson.Object, func(t *thrown, raw []byte) { t.details = Details(raw) }},
	{"retryable", rawjson.Bool, func(t *thrown, raw []byte) { t.retryable = new(raw[0] == 't') }},
	{"status", rawjson.Number, func(t *thrown, raw []byte) { t.status = Number(raw) }},
	{"retryAfterMs", rawjson.Number, func(t *thrown, raw []byte) { t.retryAfter = Number(raw) }},
	{"providerId", rawjson.String, func(t *thrown, raw []byte) { id, _ := rawjson.Text(raw); t.providerID = &id }},
	{"name", rawjson.String, func(t *thrown, raw []byte) { t.name, _ = rawjson.Text(raw) }},
	{"text", rawjson.String, func(t *thrown, raw []byte) { t.text, _ = rawjson.Text(raw) }},
	{"object", rawjson.Bool, func(t *thrown, raw []byte) { t.object = raw[0] == 't' }},
	{"hint", rawjson.Invalid, func(t *thrown, raw []byte) { t.hint, _ = rawjson.Text(raw) }},
}

func (t *thrown) member(name, raw []byte) error {
	for i := range thrownMembers {
		m := &thrownMembers[i]
		if m.name != string(name) {
			continue
		}
		kind := rawjson.KindOf(raw)
		switch {
		case kind == rawjson.Null:
		case m.kind != rawjson.Invalid && m.kind != kind:
			return New(BadInput, "a thrown value whose "+m.name+" is "+kindNames[m.kind], kindNames[kind])
		default:
			m.put(t, raw)
		}
		return nil
	}
	return New(BadInput, "a thrown value without unknown members", "member "+string(name))
}

var kindNames = [...]string{
	rawjson.Invalid: "nothing", rawjson.Null: "null", rawjson.Bool: "true or false", rawjson.Number: "a number",
	rawjson.String: "text", rawjson.Object: "an object", rawjson.Array: "an array",
}

// value makes what the members describe.
func (t *thrown) value() (any, error) {
	var err error
	switch t.kind {
	case "coded":
		err = t.coded()
	case "provider":
		err = t.provider()
	case "error":
		err = plainError(t.message)
	case "value":
		return Value{Text: t.text, Object: t.object, Name: t.name}.WithHint(t.hint), nil
	default:
		return nil, New(BadInput, "a thrown value of kind coded, provider, error or value", t.kind)
	}
	if t.name != "" {
		err = WithName(err, t.name)
	}
	if t.hint != "" {
		err = WithHint(err, t.hint)
	}
	return err, nil
}

func (t *thrown) coded() error {
	code, ok := ParseCode(t.code)
	if !ok {
		return PlatformError{t.code, t.message, t.details, t.retryable != nil && *t.retryable}
	}
	e := Coded(code, t.message).WithDetails(t.details)
	if t.retryable != nil {
		e.Retryable = *t.retryable
	}
	return e
}

func (t *thrown) provider() error {
	retryable, _ := ProviderRetryable(t.code)
	if t.retryable != nil {
		retryable = *t.retryable
	}
	return &ProviderError{
		Code: t.code, Message: t.message, Retryable: retryable,
		ProviderID: t.providerID, Status: t.status, RetryAfterMs: t.retryAfter,
	}
}

// plainError is an error of which only the text is left.
type plainError string

// Error is that text.
func (e plainError) Error() string { return string(e) }
