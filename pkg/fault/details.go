package fault

import "github.com/tidemark-stream/tidemark/internal/rawjson"

// Details are facts about a failure for programs: the raw text of one JSON
// object, passed on byte for byte. "" is absent, "{}" is an empty object; the
// two differ. Build them with the Set methods, or convert text that is known to
// be a JSON object:
//
//	fault.Details("").Set("checkpointId", id).SetNumber("seq", fault.Int(7))
//
// Other text is never written as JSON: it travels as {"malformed": text}.
type Details string

// maxDepth is how deep details may nest.
const maxDepth = 512

// IsSet reports whether there are details, maybe empty ones.
func (d Details) IsSet() bool { return d != "" }

// Set answers details with a text member, in place of one of that name.
func (d Details) Set(name, text string) Details {
	return d.set(name, rawjson.AppendQuoted(nil, text))
}

// SetNumber answers details with a number member. An absent number changes nothing.
func (d Details) SetNumber(name string, n Number) Details {
	if !n.IsSet() {
		return d
	}
	return d.set(name, []byte(n))
}

// SetJSON answers details with a member given as JSON text. Text that is not
// one JSON value becomes a text member.
func (d Details) SetJSON(name, raw string) Details {
	if problem, _ := rawjson.Check([]byte(raw), maxDepth-1); problem != rawjson.OK {
		return d.Set(name, raw)
	}
	return d.set(name, trim([]byte(raw)))
}

func (d Details) set(name string, value []byte) Details {
	w := rawjson.Begin(nil)
	for other, kept := range rawjson.Members([]byte(d.sound())) {
		if string(other) != name {
			w.Raw(string(other), kept)
		}
	}
	w.Raw(name, value)
	return Details(w.End())
}

// JSON answers the raw text of a member; of several with that name the last
// one, as JSON.parse has it.
func (d Details) JSON(name string) (raw string, ok bool) {
	for other, value := range rawjson.Members([]byte(d.sound())) {
		if string(other) == name {
			raw, ok = string(value), true
		}
	}
	return raw, ok
}

// Text answers a member that is text, decoded.
func (d Details) Text(name string) (text string, ok bool) {
	raw, _ := d.JSON(name)
	return rawjson.Text([]byte(raw))
}

// Number answers a member that is a number.
func (d Details) Number(name string) (n Number, ok bool) {
	raw, _ := d.JSON(name)
	n = Number(raw)
	if !n.IsSet() {
		return "", false
	}
	return n, true
}

// sound is what may stand in JSON text: d itself when it is an object.
func (d Details) sound() Details {
	if d == "" {
		return ""
	}
	text := trim([]byte(d))
	if rawjson.KindOf(text) == rawjson.Object && whole(text) {
		return Details(text)
	}
	w := rawjson.Begin(nil)
	w.Text("malformed", string(d))
	return Details(w.End())
}

// trim cuts off the white space of JSON on both sides.
func trim(raw []byte) []byte {
	for len(raw) > 0 && space(raw[0]) {
		raw = raw[1:]
	}
	for len(raw) > 0 && space(raw[len(raw)-1]) {
		raw = raw[:len(raw)-1]
	}
	return raw
}

func space(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
