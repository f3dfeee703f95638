package ask_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/ask"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// starts are where sessions start, in words.
func starts(asks []ask.Ask) string {
	var all []string
	for i := range asks {
		a := &asks[i]
		at := "beginning"
		if a.Now {
			at = "now"
		}
		if a.Known {
			at = a.Cursor.Token(1)
		}
		all = append(all, fmt.Sprint(a.Cursor.Session, " ", at))
	}
	return strings.Join(all, ", ")
}

// where each session starts, or what contradicts itself.
func TestRead(t *testing.T) {
	const fromZero = "the first number on the wire is 0"
	list := func(all ...string) []string { return all }
	for name, c := range map[string]struct {
		query ask.Query
		want  string
		fault fault.ID
	}{
		"no session":                       {ask.Query{}, "", 0},
		"nothing is said":                  {ask.Query{Sessions: list("s", "t")}, "s beginning, t beginning", 0},
		"from the beginning":               {ask.Query{Sessions: list("s"), From: list("beginning")}, "s beginning", 0},
		"from now":                         {ask.Query{Sessions: list("s", "t"), From: list("now")}, "s now, t now", 0},
		"from is for those without cursor": {ask.Query{Sessions: list("s", "t"), Cursors: list("t:4@7"), From: list("now")}, "s now, t t:4@7", 0},
		"cursors in another order":         {ask.Query{Sessions: list("s", "t"), Cursors: list("t:4", "s:0")}, "s s:0, t t:4", 0},
		"the header alone":                 {ask.Query{Sessions: list("s", "t"), LastEventID: "t:4@7"}, "s beginning, t t:4@7", 0},
		"the header over from":             {ask.Query{Sessions: list("s"), From: list("now"), LastEventID: "s:4"}, "s s:4", 0},
		"the header over the cursor":       {ask.Query{Sessions: list("s"), Cursors: list("s:3"), LastEventID: "s:4@7"}, "s s:4@7", 0},
		"the same in both":                 {ask.Query{Sessions: list("s"), Cursors: list("s:4@7"), LastEventID: "s:4"}, "s s:4@7", 0},
		"the generation of the cursor":     {ask.Query{Sessions: list("s"), Cursors: list("s:3@7"), LastEventID: "s:4"}, "s s:4@7", 0},
		"a header below the cursor":        {ask.Query{Sessions: list("s"), Cursors: list("s:3"), LastEventID: "s:2"}, "", fault.InvalidCursor},
		"a header of another generation":   {ask.Query{Sessions: list("s"), Cursors: list("s:3@7"), LastEventID: "s:4@8"}, "", fault.InvalidCursor},
		"a header of another session":      {ask.Query{Sessions: list("s"), LastEventID: "t:4"}, "", fault.ForeignSession},
		"a header that is none":            {ask.Query{Sessions: list("s"), LastEventID: "s"}, "", fault.InvalidCursor},
		"a cursor of another session":      {ask.Query{Sessions: list("s"), Cursors: list("t:4")}, "", fault.ForeignSession},
		"a cursor that is none":            {ask.Query{Sessions: list("s"), Cursors: list("s:-1")}, "", fault.InvalidCursor},
		"two cursors of one session":       {ask.Query{Sessions: list("s"), Cursors: list("s:4", "s:4")}, "", fault.InvalidOptions},
		"from, and a cursor of each":       {ask.Query{Sessions: list("s"), Cursors: list("s:4"), From: list("beginning")}, "", fault.InvalidOptions},
		"from twice":                       {ask.Query{Sessions: list("s"), From: list("now", "now")}, "", fault.InvalidOptions},
		"from somewhere else":              {ask.Query{Sessions: list("s"), From: list("Now")}, "", fault.InvalidOptions},
		"from that says nothing":           {ask.Query{Sessions: list("s"), From: list("")}, "", fault.InvalidOptions},
		fromZero:                           {ask.Query{Sessions: list("s"), Cursors: list("s:0")}, "s s:1", 0},
	} {
		t.Run(name, func(t *testing.T) {
			if name != fromZero {
				c.query.Base = 1
			}
			asks, f := ask.Read(&c.query)
			if c.fault != 0 {
				require.NotNil(t, f)
				assert.Equal(t, c.fault, f.ID)
				assert.Nil(t, asks)
				return
			}
			require.Nil(t, f)
			assert.Equal(t, c.want, starts(asks))
		})
	}
}
