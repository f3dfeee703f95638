package link_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/link"
)

const framed = ": hello\n\nid: a\ndata: {\"type\":\"x\"}\n\nevent: named\ndata: {\"type\":\"y\"}\n\n" +
	"event: ping\ndata: not an event\n\nevent: ping\ndata:\n\nid\nevent: tidemark.later\ndata: x\n\ndata: {\"type\":\"z\"}\n\nid: b\ndata: [DONE]\n\n"

// names and last ids as a browser shows them; what is no event is handed on
// to whoever asked.
func TestFrames(t *testing.T) {
	for _, frames := range []bool{true, false} {
		l, err := link.New(link.Options{Frames: frames})
		require.NoError(t, err)
		l.Start(link.Moment{})
		l.Opened(link.Moment{}, link.Response{Status: 200, ContentType: "text/event-stream"})
		l.Feed(link.Moment{}, []byte(framed))
		var got [][4]string
		for a := l.Next(); a != nil; a = l.Next() {
			name, id := l.Frame()
			switch a.Kind {
			case link.Draft:
				got = append(got, [4]string{"draft", string(name), string(id), string(a.Data)})
			case link.Aside:
				got = append(got, [4]string{"aside", string(name), string(id), string(a.Data)})
			}
		}
		want := [][4]string{
			{"draft", "", "a", `{"type":"x"}`}, {"draft", "named", "a", `{"type":"y"}`}, {"aside", "ping", "a", "not an event"}, {"aside", "ping", "a", ""},
			{"draft", "", "", `{"type":"z"}`}, {"aside", "", "b", "[DONE]"},
		}
		if !frames {
			want = [][4]string{want[0], want[1], want[4]}
		}
		require.Equal(t, want, got)
	}
}
