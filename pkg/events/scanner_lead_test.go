package events

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Lead finds the end of what machines write, whatever line follows it.
func TestLead(t *testing.T) {
	s := NewScanner(SessionMembers)
	for _, text := range traffic() {
		for _, rest := range []string{"", "\n", "\r\n\r\ndata: {", "\n\n: {}"} {
			line := append(append([]byte{}, text...), rest...)
			leads(t, line)
			require.Equal(t, len(text), s.Lead(line, new(Envelope)), "%s", line)
		}
		require.Zero(t, s.Lead(text[:len(text)-1], new(Envelope)))
	}
	for _, text := range []string{"{\n}", "{\"seq\":1,\r\"type\":\"a\"}", "[]", "7", "", "\n{}", `{"seq":0}`, `{"seq":1,"seq":1}`} {
		require.Zero(t, s.Lead([]byte(text), new(Envelope)), "%q", text)
	}
}
