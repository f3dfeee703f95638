package checkpoint_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/checkpoint"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

func message(id, content string) string {
	return `message,"messageId":"` + id + `","content":` + content
}

func replaced(id, content string) string {
	return `message_replaced,"targetMessageId":"` + id + `","content":` + content
}

func spilled(id, ref string) string { return `message,"messageId":"` + id + `","spill":` + ref }

func compaction(summary string, kept ...string) string {
	return `compaction,"summary":` + summary + `,"keptMessageIds":["` + strings.Join(kept, `","`) + `"]`
}

// folded is what a context says: id=content of each message, with a space between.
func folded(t *testing.T, c *checkpoint.Context, rest ...string) string {
	for _, l := range log(rest...) {
		require.NoError(t, c.Add([]byte(l)))
	}
	list, err := c.Messages()
	require.NoError(t, err)
	var words []string
	for _, m := range list {
		name := m.ID
		if m.Summary {
			name = "summary"
		}
		words = append(words, name+"="+string(m.Content))
	}
	return strings.Join(words, " ")
}

// append, replace in place, summary first and then what is kept; nothing
// else takes part.
func TestContext(t *testing.T) {
	for name, c := range map[string]struct {
		rest []string
		want string
	}{
		"nothing":           {nil, ""},
		"append":            {[]string{message("a", `1`), message("b", `{"x":[2]}`)}, `a=1 b={"x":[2]}`},
		"replace":           {[]string{message("a", `1`), message("b", `2`), replaced("a", `"new"`)}, `a="new" b=2`},
		"replace twice":     {[]string{message("a", `1`), replaced("a", `2`), replaced("a", `3`)}, `a=3`},
		"compaction":        {[]string{message("a", `1`), message("b", `2`), message("c", `3`), compaction(`"s"`, "b")}, `summary="s" b=2`},
		"behind one":        {[]string{message("a", `1`), compaction(`"s"`, "a"), message("b", `2`)}, `summary="s" a=1 b=2`},
		"keeps the order":   {[]string{message("a", `1`), message("b", `2`), compaction(`{}`, "b", "a", "b")}, `summary={} a=1 b=2`},
		"two compactions":   {[]string{message("a", `1`), compaction(`"s"`, "a"), message("b", `2`), compaction(`"z"`, "b")}, `summary="z" b=2`},
		"replaced is kept":  {[]string{message("a", `1`), message("b", `2`), compaction(`"s"`, "b"), replaced("b", `9`)}, `summary="s" b=9`},
		"dropped stays so":  {[]string{message("a", `1`), message("b", `2`), compaction(`"s"`, "b"), replaced("a", `9`)}, `summary="s" b=2`},
		"nothing is kept":   {[]string{message("a", `1`), `compaction,"summary":"s","keptMessageIds":[]`}, `summary="s"`},
		"others are none":   {[]string{message("a", `1`), `compaction_shed,"messages":[]`, `compaction_completed`, `message_completed,"messageId":"z"`}, `a=1`},
		"content beats not": {[]string{`message,"messageId":"a","content":1,"spill":null`}, `a=1`},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, folded(t, &checkpoint.Context{}, c.rest...)) })
	}
}

// a damaged record ends the fold, for good.
func TestADamagedRecordEndsTheFold(t *testing.T) {
	for name, record := range map[string]string{
		"no JSON":                  `{"v":1,"type":"message","messageId":"a","content":`,
		"no type":                  `{"seq":1}`,
		"nothing":                  ``,
		"no id":                    line(1, `message,"content":1`),
		"an id that is none":       line(1, `message,"messageId":7,"content":1`),
		"an empty id":              line(1, `message,"messageId":"","content":1`),
		"no content":               line(1, `message,"messageId":"a"`),
		"content null":             line(1, `message,"messageId":"a","content":null`),
		"no target":                line(1, `message_replaced,"messageId":"a","content":1`),
		"no summary":               line(1, `compaction,"keptMessageIds":[]`),
		"no list":                  line(1, `compaction,"summary":"s"`),
		"a list that is none":      line(1, `compaction,"summary":"s","keptMessageIds":"a"`),
		"kept and not there":       line(1, compaction(`"s"`, "zz")),
		"kept that is no id":       line(1, `compaction,"summary":"s","keptMessageIds":[null]`),
		"type written another way": strings.Replace(line(1, `message,"messageId":7`), `"v":1,"type":"message"`, `"ty\u0070e":"mess\u0061ge"`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			var c checkpoint.Context
			err := c.Add([]byte(record))
			requireFault(t, err, fault.BadRecord)
			require.Equal(t, err, c.Add([]byte(line(2, message("b", `1`)))))
			_, again := c.Messages()
			require.Equal(t, err, again)
			c.Watch = "a"
			_, again = c.Intent()
			require.Equal(t, err, again)
		})
	}
}

// a body that lies apart is had from the reader, when it is needed.
func TestSpilledBodies(t *testing.T) {
	var asked []string
	c := checkpoint.Context{Spill: func(ref []byte) ([]byte, error) {
		asked = append(asked, string(ref))
		return fmt.Appendf(nil, "[%s]", ref), nil
	}}
	got := folded(t, &c, spilled("a", `1`), spilled("gone", `2`), message("b", `0`),
		`message_replaced,"targetMessageId":"b","spill":{"p": 3},"content":9`, compaction(`"s"`, "a", "b"))
	require.Equal(t, `summary="s" a=[1] b=[{"p": 3}]`, got)
	require.Equal(t, []string{`1`, `{"p": 3}`}, asked, "what was dropped is not fetched")
}

func TestAMissingSpill(t *testing.T) {
	cause := errors.New("no such file")
	for name, read := range map[string]func([]byte) ([]byte, error){
		"no reader":  nil,
		"an error":   func([]byte) ([]byte, error) { return nil, cause },
		"no JSON":    func([]byte) ([]byte, error) { return []byte("{"), nil },
		"no content": func([]byte) ([]byte, error) { return nil, nil },
	} {
		t.Run(name, func(t *testing.T) {
			c := checkpoint.Context{Spill: read, Watch: "a"}
			require.NoError(t, c.Add([]byte(line(1, spilled("a", `{"key":"k"}`)))))
			_, err := c.Messages()
			requireFault(t, err, fault.SpillMissing)
			require.Equal(t, name == "an error", errors.Is(err, cause))
			_, err = c.Intent()
			requireFault(t, err, fault.SpillMissing)
		})
	}
}

const userSays = `{"role":"user","content":"go"}`

// what the operator said last, also when it is no longer in the context.
func TestIntent(t *testing.T) {
	read := func(ref []byte) ([]byte, error) { return []byte(userSays), nil }
	for name, c := range map[string]struct {
		rest []string
		want string
	}{
		"in the context":       {[]string{message("m", userSays), message("x", `1`)}, userSays},
		"replaced":             {[]string{message("m", `1`), replaced("m", userSays)}, userSays},
		"dropped":              {[]string{message("m", userSays), message("x", `1`), compaction(`"s"`, "x")}, userSays},
		"dropped and replaced": {[]string{message("m", `1`), message("x", `1`), compaction(`"s"`, "x"), replaced("m", userSays)}, userSays},
		"only replaced":        {[]string{replaced("m", userSays)}, userSays},
		"the last of two":      {[]string{message("m", `1`), message("m", userSays)}, userSays},
		"spilled":              {[]string{spilled("m", `"k"`), message("x", `1`), compaction(`"s"`, "x")}, userSays},
		"guidance as text": {[]string{message("m", `{"role":"tool","content":"out","guidance":"stop \u0061 bit","attachments":[1]}`)},
			`{"role":"runtime","kind":"steering","content":"stop \u0061 bit"}`},
		"guidance as an object": {[]string{message("m", `{"role":"tool","guidance":{"content":[{"type":"text","text":"x"}],"attachments":[1]}}`)},
			`{"role":"runtime","kind":"steering","content":[{"type":"text","text":"x"}]}`},
		"a tool without guidance": {[]string{message("m", `{"role":"tool","content":"out","guidance":null}`)}, `{"role":"tool","content":"out","guidance":null}`},
		"guidance of no tool":     {[]string{message("m", `{"role":"user","guidance":"x"}`)}, `{"role":"user","guidance":"x"}`},
	} {
		t.Run(name, func(t *testing.T) {
			context := checkpoint.Context{Watch: "m", Spill: read}
			folded(t, &context, c.rest...)
			intent, err := context.Intent()
			require.NoError(t, err)
			require.Equal(t, c.want, string(intent))
		})
	}
}

func TestIntentThatIsMissing(t *testing.T) {
	c := checkpoint.Context{Watch: "m"}
	folded(t, &c, message("x", `1`), `message_completed,"messageId":"m"`)
	_, err := c.Intent()
	requireFault(t, err, fault.IntentMissing)
	require.Contains(t, err.Error(), "message m")
	c = checkpoint.Context{}
	intent, err := c.Intent()
	require.NoError(t, err)
	require.Nil(t, intent)
}

// A context keeps copies: the buffer of a record may be used again.
func TestAContextIsACopy(t *testing.T) {
	c := checkpoint.Context{Watch: "a"}
	for _, l := range log(message("a", userSays), compaction(`"s"`, "a")) {
		b := []byte(l)
		require.NoError(t, c.Add(b))
		clear(b)
	}
	require.Equal(t, `summary="s" a=`+userSays, folded(t, &c))
	intent, err := c.Intent()
	require.NoError(t, err)
	require.Equal(t, userSays, string(intent))
}

// The memory of a fold is that of what is in the context: a log that compacts ten
// thousand times leaves no more behind than one that compacts once.
func TestMemoryOfAContext(t *testing.T) {
	var c checkpoint.Context
	for i := range 10_000 {
		id := fmt.Sprint("m", i)
		require.NoError(t, c.Add([]byte(line(1, message(id, userSays)))))
		require.NoError(t, c.Add([]byte(line(2, compaction(`"s"`, id)))))
	}
	require.Equal(t, `summary="s" m9999=`+userSays, folded(t, &c))
	skip := []byte(line(3, `iteration_started,"iteration":1`))
	require.Zero(t, testing.AllocsPerRun(100, func() { _ = c.Add(skip) }))
}

// Whatever a record is, a fold answers, and a proof does.
func FuzzRecords(f *testing.F) {
	lines, document := committed()
	for _, seed := range append(lines, `{}`, ``, line(1, compaction(`"s"`, "a")), line(1, replaced("a", `1`)), `{"type":"checkpoint_pruned","checkpointIds":["c1",7]}`) {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, record []byte) {
		c := checkpoint.Context{Watch: "a"}
		_ = c.Add([]byte(line(1, message("a", `1`))))
		if err := c.Add(record); err != nil {
			requireFault(t, err, fault.BadRecord)
		}
		_, _ = c.Messages()
		_, _ = c.Intent()
		var l checkpoint.Ledger
		l.Add(record)
		p := checkpoint.Prove("c1", document)
		for _, r := range []string{lines[0], lines[1], lines[2], string(record), lines[4]} {
			p.Add([]byte(r))
		}
		if _, err := p.Result(); err == nil {
			w, err := checkpoint.ReadWritten(record)
			require.NoError(t, err)
			require.Equal(t, checkpoint.SumOf(document), w.SHA256)
			require.Equal(t, seqOf(4), w.Seq)
		}
	})
}
