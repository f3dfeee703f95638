package link_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// once is a link that has one connection and no other, which is open.
func once(t *testing.T, o link.Options) *link.Link {
	o.Single = true
	l, err := link.New(o)
	require.NoError(t, err)
	l.Start(link.Moment{})
	require.Equal(t, []link.Kind{link.Connect, link.Wake}, kinds(l))
	l.Opened(link.Moment{}, link.Response{Status: 200, ContentType: "text/event-stream"})
	require.Empty(t, kinds(l))
	return l
}

// kinds are what a link does now, without the cursors that move.
func kinds(l *link.Link) (all []link.Kind) {
	for a := l.Next(); a != nil; a = l.Next() {
		if a.Kind != link.Position {
			all = append(all, a.Kind)
		}
	}
	return all
}

const (
	single1 = "data: {\"type\":\"x\",\"sessionId\":\"s1\",\"seq\":1}\n\n"
	single3 = "data: {\"type\":\"x\",\"sessionId\":\"s1\",\"seq\":3}\n\n"
)

// nothing is asked for again; what would have needed that ends the stream.
func TestSingle(t *testing.T) {
	for name, c := range map[string]struct {
		feed   string
		closed bool
		want   []link.Kind
	}{
		"a clean end":                   {single1, true, []link.Kind{link.Deliver, link.End}},
		"a clean end with nothing":      {"", true, []link.Kind{link.End}},
		"the mark of other streams":     {single1 + "data: [DONE]\n\n", false, []link.Kind{link.Deliver, link.Close, link.End}},
		"a gap":                         {single1 + single3, false, []link.Kind{link.Deliver, link.Refused, link.Close}},
		"an event that is none":         {"data: {\n\n", false, []link.Kind{link.Refused, link.Close}},
		"a control frame that is none":  {"event: tidemark.head\ndata: {}\n\n", false, []link.Kind{link.Close, link.Fail}},
		"an end that the server says":   {single1 + "event: tidemark.end\ndata: {\"sessionId\":\"s1\",\"reason\":\"x\"}\n\n", false, []link.Kind{link.Deliver, link.End, link.Close}},
		"silence, then nothing (below)": {single1, false, []link.Kind{link.Deliver}},
	} {
		t.Run(name, func(t *testing.T) {
			l := once(t, link.Options{Sessions: []string{"s1"}})
			l.Feed(link.Moment{}, []byte(c.feed))
			got := kinds(l)
			if c.closed {
				l.Closed(link.Moment{}, false)
				got = append(got, kinds(l)...)
			}
			require.Equal(t, c.want, got)
			l.Tick(link.Moment{Now: 60_000})
			if name == "silence, then nothing (below)" {
				require.Equal(t, []link.Kind{link.Close, link.End}, kinds(l))
			} else {
				require.Empty(t, kinds(l), "it is over")
			}
		})
	}
}

func TestSingleCause(t *testing.T) {
	for _, failed := range []bool{false, true} {
		l := once(t, link.Options{})
		l.Closed(link.Moment{}, failed)
		require.Equal(t, link.Incomplete, l.Next().Cause)
	}
}

// A load puts a state in force; the events behind it would need another connection.
func TestSingleAfterALoad(t *testing.T) {
	l := once(t, link.Options{Sessions: []string{"s1"}, Load: true, Explicit: true})
	l.Feed(link.Moment{}, []byte(single1+single3))
	require.Equal(t, []link.Kind{link.Deliver, link.Refused, link.Load, link.Close}, kinds(l))
	l.Loaded(link.Moment{}, 0, cursor.Cursor{Session: "s1", Seq: 3})
	require.Equal(t, []link.Kind{link.State, link.End}, kinds(l))
}

// The first load comes before the one connection, not in place of it.
func TestSingleAfterTheFirstLoad(t *testing.T) {
	l, err := link.New(link.Options{Sessions: []string{"s1"}, Load: true, Single: true})
	require.NoError(t, err)
	l.Start(link.Moment{})
	require.Equal(t, []link.Kind{link.Load}, kinds(l))
	l.Loaded(link.Moment{}, 0, cursor.Cursor{Session: "s1", Seq: 3})
	require.Equal(t, []link.Kind{link.State, link.Connect, link.Wake}, kinds(l))
}
