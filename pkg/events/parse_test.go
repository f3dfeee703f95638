package events

import (
	"strings"
	"testing"
)

// R-14 to a cursor's R-15, where null is no seq.
func TestParseSeq(t *testing.T) {
	for raw, want := range map[string]Seq{"1": 1, "42": 42, "9007199254740991": MaxSeq} {
		if got, ok := ParseSeq([]byte(raw)); !ok || got != want {
			t.Errorf("%s: %d, %v", raw, got, ok)
		}
		if got, ok := ParseCursorSeq([]byte(raw)); !ok || got != want {
			t.Errorf("%s of a cursor: %d, %v", raw, got, ok)
		}
	}
	if _, ok := ParseSeq([]byte("0")); ok {
		t.Error("no event has seq 0")
	}
	if n, ok := ParseCursorSeq([]byte("0")); !ok || n != 0 {
		t.Error("a cursor may stand before the first event")
	}
	for _, raw := range []string{"", "-1", "+1", "01", "1.0", "1e3", `"5"`, "null", "true", "[1]", "9007199254740992", "1 ", "NaN"} {
		_, one := ParseSeq([]byte(raw))
		_, two := ParseCursorSeq([]byte(raw))
		if one || two {
			t.Errorf("%q passes", raw)
		}
	}
}

// digits as they stand, or text; null is none.
func TestParseGeneration(t *testing.T) {
	long := strings.Repeat("9", 400)
	for raw, want := range map[string]Generation{
		"0": "0", "7": "7", `"7"`: "7", long: Generation(long), `"g-1"`: "g-1", `"\u0041é\ud83d\ude00"`: "Aé😀", `" "`: " ", `"07"`: "07", "\"\u00a0\"": "\u00a0",
	} {
		if got, ok := ParseGeneration([]byte(raw)); !ok || got != want {
			t.Errorf("%s: %q, %v", raw, got, ok)
		}
	}
	for _, raw := range []string{
		"", `""`, "07", "-1", "+1", "1.0", "1e3", "null", "true", "{}", `"a`, `a`, `"a" `, " 7", `"\n"`, `"\u007f"`, "\"\x7f\"", "\"\u0080\"",
		`"\ud800"`, `"\udc00x"`, "\"\xff\"", "\"\x01\"", "\"\xc2\"", `"\`,
	} {
		if got, ok := ParseGeneration([]byte(raw)); ok || got != "" {
			t.Errorf("%q: %q, %v", raw, got, ok)
		}
	}
}
