package abi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/link"
)

// do gives a link an input as a host does: its argument through the room.
func (m *Links) do(h, kind int32, arg string) int {
	copy(m.Input(len(arg)), arg)
	return m.Do(h, kind, len(arg), 0, 0)
}

func (m *Links) openWith(options string) int32 {
	copy(m.Input(len(options)), options)
	return m.Open(len(options))
}

func (m *Links) kinds(n int) (kinds []link.Kind) {
	for i := range n {
		kinds = append(kinds, link.Kind(m.rows[i].head&0xff))
	}
	return kinds
}

// A link from its options to its end, through the calls that the module exports.
func TestLinksFromOpenToClose(t *testing.T) {
	var m Links
	h := m.openWith(`{"sessions":["s1"]}`)
	require.Positive(t, h)
	assert.Contains(t, m.kinds(m.do(h, 1, `{}`)), link.Connect)
	require.GreaterOrEqual(t, m.do(h, 2, `{"status":200,"contentType":"text/event-stream"}`), 0)

	chunk := "id: s1:1@7\ndata: {\"type\":\"of_ours\",\"sessionId\":\"s1\",\"seq\":1,\"generation\":7}\n\n"
	require.Len(t, m.Reserve(h, len(chunk)), len(chunk))
	copy(m.Reserve(h, len(chunk)), chunk)
	n := m.Feed(h, len(chunk), 0, 0)
	require.Equal(t, []link.Kind{link.Position, link.Deliver, link.Position}, m.kinds(n), "the name of a lane is its first row")
	row := m.rows[1]
	assert.Equal(t, 1.0, row.seq)
	require.Equal(t, 1, m.Text(h, row.generation))
	assert.Equal(t, "7", string(m.Output()))
	require.Equal(t, len("of_ours"), m.Text(h, row.typeNumber-textBase))
	assert.Equal(t, "of_ours", string(m.Output()))
	assert.Equal(t, 0, m.Next(h), "all is drained")

	assert.Contains(t, m.kinds(m.do(h, 7, `{}`)), link.End)
	m.Close(h)
	for _, rows := range []int{m.Next(h), m.Feed(h, 0, 0, 0), m.do(h, 1, `{}`), m.Text(h, 1)} {
		assert.Equal(t, dead, rows, "a closed handle")
	}
	assert.Nil(t, m.Reserve(h, 1))
}

func TestLinksAnswerWhatTheyCannotTake(t *testing.T) {
	var m Links
	for _, options := range []string{``, `[]`, `{"speed":1}`, `{"sessions":"s1"}`, `{"cursors":["s1"]}`, `{"mode":"guess"}`} {
		assert.Zero(t, m.openWith(options), options)
		assert.Contains(t, string(m.Output()), `{"fault":{"id":`, options)
	}
	h := m.openWith(`{}`)
	for _, bad := range []string{`{`, `{"status":"200"}`, `{"other":1}`} {
		assert.Equal(t, []link.Kind{link.Fail}, m.kinds(m.do(h, 2, bad))[:1], bad)
	}
	assert.Zero(t, m.Open(1<<30), "a length beyond the room")
}
