package relay_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/ask"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/relay"
)

// a relay reads a request as its server does.
func TestAsk(t *testing.T) {
	for name, c := range map[string]struct {
		query    ask.Query
		sessions []string
		cursors  []string
		from     link.Start
		fault    fault.ID
	}{
		"nothing: the server names the session":   {},
		"from now, in a session the server names": {query: ask.Query{From: []string{"now"}}, from: link.FromNow},
		"a session":                                {query: ask.Query{Sessions: []string{"s"}}, sessions: []string{"s"}},
		"a session and its cursor":                 {query: ask.Query{Sessions: []string{"s"}, Cursors: []string{"s:3@7"}}, sessions: []string{"s"}, cursors: []string{"s:3@7"}},
		"sessions of the cursors, each once":       {query: ask.Query{Cursors: []string{"s:3", "t:4"}, LastEventID: "s:5"}, sessions: []string{"s", "t"}, cursors: []string{"s:5", "t:4"}},
		"one session from a cursor, one from now":  {query: ask.Query{Sessions: []string{"s", "t"}, Cursors: []string{"s:3"}, From: []string{"now"}}, sessions: []string{"s", "t"}, cursors: []string{"s:3"}, from: link.FromNow},
		"a header below the cursor of the address": {query: ask.Query{Sessions: []string{"s"}, Cursors: []string{"s:3"}, LastEventID: "s:2"}, fault: fault.InvalidCursor},
		"no cursor, and no session":                {query: ask.Query{Cursors: []string{"s"}}, fault: fault.InvalidCursor},
		"no cursor of a session":                   {query: ask.Query{Sessions: []string{"s"}, Cursors: []string{"s"}}, fault: fault.InvalidCursor},
		"a cursor of another session":              {query: ask.Query{Sessions: []string{"s"}, Cursors: []string{"t:1"}}, fault: fault.ForeignSession},
		"a start that there is not":                {query: ask.Query{From: []string{"noon"}}, fault: fault.InvalidOptions},
	} {
		t.Run(name, func(t *testing.T) {
			var o relay.Options
			f := o.Ask(&c.query)
			if c.fault != 0 {
				require.NotNil(t, f)
				assert.Equal(t, c.fault, f.ID)
				return
			}
			require.Nil(t, f)
			assert.Equal(t, c.sessions, o.Sessions)
			assert.Equal(t, c.from, o.From)
			var cursors []string
			for i := range o.Cursors {
				cursors = append(cursors, o.Cursors[i].Token(1))
			}
			assert.Equal(t, c.cursors, cursors)
		})
	}
}

// ids of other servers are numbers, or say nothing.
func TestAskWithAnIDOfAnotherServer(t *testing.T) {
	for name, c := range map[string]struct {
		profile string
		query   ask.Query
		cursors []string
		from    link.Start
		fault   fault.ID
	}{
		"a number where that is the position":  {`{"position":"id","control":false}`, ask.Query{Sessions: []string{"s"}, LastEventID: "7"}, []string{"s:7"}, link.FromBeginning, 0},
		"one that counts from 0":               {`{"position":"id","base":0}`, ask.Query{Sessions: []string{"s"}, LastEventID: "0"}, []string{"s:0"}, link.FromBeginning, 0},
		"a number that stands for anything":    {`{"control":false}`, ask.Query{Sessions: []string{"s"}, LastEventID: "7"}, nil, link.FromNow, 0},
		"a text":                               {`{"control":false}`, ask.Query{Sessions: []string{"s"}, Cursors: []string{"s:3"}, LastEventID: "evt_7"}, nil, link.FromNow, 0},
		"a token":                              {`{"control":false}`, ask.Query{Sessions: []string{"s"}, LastEventID: "s:7"}, []string{"s:7"}, link.FromBeginning, 0},
		"numbers of a connection that is gone": {`{"scope":"connection","control":false}`, ask.Query{Sessions: []string{"s"}, LastEventID: "s:7"}, nil, link.FromBeginning, 0},
		"a number where ids are tokens":        {`{"base":0,"control":true}`, ask.Query{Sessions: []string{"s"}, LastEventID: "7"}, nil, 0, fault.InvalidCursor},
		"a text where ids are tokens":          {`"session"`, ask.Query{Sessions: []string{"s"}, LastEventID: "evt_7"}, nil, 0, fault.InvalidCursor},
	} {
		t.Run(name, func(t *testing.T) {
			o := relay.Options{Profile: custom(c.profile)}
			f := o.Ask(&c.query)
			if c.fault != 0 {
				require.NotNil(t, f)
				assert.Equal(t, c.fault, f.ID)
				return
			}
			require.Nil(t, f)
			assert.Equal(t, c.from, o.From)
			var cursors []string
			for i := range o.Cursors {
				cursors = append(cursors, o.Cursors[i].Token(o.Profile.Base))
			}
			assert.Equal(t, c.cursors, cursors)
			_, f = relay.New(&o)
			assert.Nil(t, f)
		})
	}
}
