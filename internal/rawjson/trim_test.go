package rawjson

import "testing"

func TestTrim(t *testing.T) {
	for text, want := range map[string]string{"": "", " \t\r\n": "", " \n{} \t": "{}", "a b": "a b", "\v1\v": "\v1\v"} {
		if got := string(Trim([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestAppendPercent(t *testing.T) {
	for c, want := range map[byte]string{0: "x%00", ' ': "x%20", '/': "x%2F", 0xff: "x%FF"} {
		if got := string(AppendPercent([]byte("x"), c)); got != want {
			t.Errorf("%d: %q, want %q", c, got, want)
		}
	}
}
