package disk_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog"
	"github.com/tidemark-stream/tidemark/pkg/sessionlog/disk"
)

var morning = time.Date(2026, 1, 2, 3, 4, 5, 6_000_000, time.UTC)

func newStore(t *testing.T, dir string, o disk.Options) *disk.Store {
	o.Now = func() time.Time { return morning }
	o.Poll = time.Millisecond
	store, err := disk.New(dir, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return store
}

func write(t *testing.T, dir, name, text string) {
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
}

func add(t *testing.T, dir, name, text string) {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString(text)
	require.NoError(t, errors.Join(err, f.Close()))
}

func text(t *testing.T, dir, name string) string {
	b, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return string(b)
}

func opened(t *testing.T, store *disk.Store, session string) sessionlog.Log {
	log, err := store.Open(t.Context(), session)
	require.NoError(t, err)
	return log
}

func seqsAbove(t *testing.T, log sessionlog.Log, since events.Seq) []int {
	page, err := log.Read(t.Context(), since, 0)
	require.NoError(t, err)
	out := []int{}
	for _, e := range page.Events {
		out = append(out, int(e.Seq))
	}
	return out
}

// rec is a record as another program might write it.
func rec(seq, rest string) string {
	return `{"type":"turn_started","seq":` + seq + `,"ts":"2026-01-01T00:00:00Z","sessionId":"s"` + rest + `}`
}

func TestFormatOfAFile(t *testing.T) {
	dir := t.TempDir()
	store := newStore(t, dir, disk.Options{})
	log, err := store.Create(t.Context(), "team/a")
	require.NoError(t, err)
	_, err = log.Append(t.Context(), "", []byte(`{"type":"task_created","subject":"é","lineage":{"depth":0}}`))
	require.NoError(t, err)
	g, err := log.Acquire(t.Context())
	require.NoError(t, err)
	_, err = log.Append(t.Context(), g, []byte("{\"n\":\n[1 , 2],\"type\":\"turn_started\",\"turnId\":\"t\\u0031\"}"))
	require.NoError(t, err)
	require.Equal(t, ""+
		`{"v":1,"type":"task_created","seq":1,"ts":"2026-01-02T03:04:05.006Z","sessionId":"team/a","subject":"é"}`+"\n"+
		`{"v":1,"type":"turn_started","seq":2,"gen":1,"ts":"2026-01-02T03:04:05.006Z","sessionId":"team/a","turnId":"t\u0031","n": [1 , 2]}`+"\n",
		text(t, dir, "team%2Fa.jsonl"))
	require.Equal(t, `{"v":1,"generation":"1"}`+"\n", text(t, dir, "team%2Fa.state"))
	page, err := log.Read(t.Context(), 1, 1)
	require.NoError(t, err)
	require.Equal(t,
		`{"v":1,"type":"turn_started","seq":2,"generation":1,"ts":"2026-01-02T03:04:05.006Z","sessionId":"team/a","turnId":"t\u0031","n": [1 , 2]}`,
		string(page.Events[0].Text))
}

func TestRecordsOfOtherPrograms(t *testing.T) {
	for name, c := range map[string]struct{ line, event string }{
		"gen is renamed":        {rec("1", `,"gen":7`), rec("1", `,"generation":7`)},
		"gen as text":           {rec("1", `,"gen":"7a","x":{"gen":1}`), rec("1", `,"generation":"7a","x":{"gen":1}`)},
		"escaped name":          {rec("1", `,"g\u0065n":7`), rec("1", `,"generation":7`)},
		"recorded live event":   {rec("1", `,"generation":7`), rec("1", `,"generation":7`)},
		"null":                  {rec("1", `,"gen":null`), rec("1", `,"generation":null`)},
		"white space":           {"\t" + rec("1", ` , "x" : 1 `) + " \r", rec("1", ` , "x" : 1 `)},
		"without session":       {`{"seq":1,"type":"x","ts":"t","gen":2}`, `{"sessionId":"s","seq":1,"type":"x","ts":"t","generation":2}`},
		"unknown type and more": {rec("1", `,"type2":"q","v":1`), rec("1", `,"type2":"q","v":1`)},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "s.jsonl", "\n"+c.line+"\n\n")
			log := opened(t, newStore(t, dir, disk.Options{ReadOnly: true}), "s")
			page, err := log.Read(t.Context(), 0, 0)
			require.NoError(t, err)
			require.Len(t, page.Events, 1)
			require.Equal(t, c.event, string(page.Events[0].Text))
			lines, more, err := log.Records(t.Context(), 0, 0)
			require.NoError(t, err)
			require.False(t, more)
			require.Equal(t, [][]byte{bytes.TrimSuffix([]byte(c.line), []byte("\r"))}, lines, "R-391: byte for byte what the file holds, without line ends (R-381)")
		})
	}
}

//
func TestDamageIsNamedAndNeverPassedOver(t *testing.T) {
	good := rec("1", "") + "\n"
	for name, line := range map[string]string{
		"not JSON":              "oops",
		"cut in the middle":     `{"type":"x","seq":2,"ts":`,
		"two values":            rec("2", "") + rec("3", ""),
		"no seq":                `{"type":"x","ts":"t","sessionId":"s"}`,
		"seq 0":                 rec("0", ""),
		"seq as text":           rec(`"2"`, ""),
		"seq beyond 2^53-1":     rec("9007199254740992", ""),
		"seq as fraction":       rec("2.0", ""),
		"generation negative":   rec("2", `,"gen":-1`),
		"generation empty":      rec("2", `,"gen":""`),
		"gen and generation":    rec("2", `,"gen":1,"generation":1`),
		"seq twice":             rec("2", `,"seq":2`),
		"no type":               `{"seq":2,"ts":"t","sessionId":"s"}`,
		"no record time":        `{"type":"x","seq":2,"sessionId":"s"}`,
		"another session":       strings.Replace(rec("2", ""), `"s"`, `"q"`, 1),
		"a later version":       rec("2", `,"v":2`),
		"invalid UTF-8":         rec("2", ",\"x\":\"\xff\""),
		"longer than the limit": rec("2", `,"x":"`+strings.Repeat("x", 6000)+`"`),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "s.jsonl", good+"\n"+line+"\n"+rec("3", "")+"\n")
			_, err := newStore(t, dir, disk.Options{MaxBytes: 1000}).Open(t.Context(), "s")
			require.ErrorIs(t, err, fault.LogDamaged)
			var f *fault.Fault
			require.ErrorAs(t, err, &f)
			require.Contains(t, f.Found, "line 3 of "+filepath.Join(dir, "s.jsonl"))
			require.GreaterOrEqual(t, f.Offset, int64(len(good)+1))
			require.Less(t, f.Offset, int64(len(good)+1+len(line)+1))
			require.Equal(t, "s", f.Session)
		})
	}
}

func TestUnfinishedLastLine(t *testing.T) {
	whole := rec("1", "") + "\n"
	for name, c := range map[string]struct {
		tail    string
		dropped int64
		seqs    []int
		after   string
	}{
		"half a record":           {rec("2", "")[:20], 20, []int{1}, whole},
		"one brace":               {"{", 1, []int{1}, whole},
		"only its break missing":  {rec("2", ""), 0, []int{1, 2}, whole + rec("2", "")},
		"nothing":                 {"", 0, []int{1}, whole},
		"half of a wrong session": {`{"sessionId":"q"`, 16, []int{1}, whole},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "s.jsonl", whole+c.tail)
			reader := newStore(t, dir, disk.Options{ReadOnly: true})
			require.Equal(t, c.seqs, seqsAbove(t, opened(t, reader, "s"), 0))
			require.Equal(t, whole+c.tail, text(t, dir, "s.jsonl"), "a reader repairs nothing")

			var dropped []disk.Dropped
			writer := newStore(t, dir, disk.Options{Report: func(d disk.Dropped) { dropped = append(dropped, d) }})
			log := opened(t, writer, "s")
			require.Equal(t, c.seqs, seqsAbove(t, log, 0))
			require.Equal(t, c.after, text(t, dir, "s.jsonl"))
			if c.dropped > 0 {
				want := disk.Dropped{Session: "s", File: filepath.Join(dir, "s.jsonl"), Line: 2, Offset: int64(len(whole)), Bytes: c.dropped}
				require.Equal(t, []disk.Dropped{want}, dropped)
				require.Contains(t, want.String(), "line 2, byte ")
			} else {
				require.Empty(t, dropped)
			}
			_, err := log.Append(t.Context(), "", []byte(`{"type":"turn_started"}`))
			require.NoError(t, err)
			want := append(c.seqs, c.seqs[len(c.seqs)-1]+1)
			require.Equal(t, want, seqsAbove(t, log, 0))
			require.Equal(t, want, seqsAbove(t, opened(t, newStore(t, dir, disk.Options{}), "s"), 0))
		})
	}
}

// A log that another program damaged is handed over as it stands: the consumer's
// checks see the hole, the double, the disorder.
func TestOrderIsNeverRepaired(t *testing.T) {
	dir := t.TempDir()
	var file strings.Builder
	for _, seq := range []string{"3", "4", "6", "6", "5", "7"} {
		file.WriteString(rec(seq, "") + "\n")
	}
	write(t, dir, "s.jsonl", file.String())
	log := opened(t, newStore(t, dir, disk.Options{}), "s")
	require.Equal(t, []int{3, 4, 6, 6, 5, 7}, seqsAbove(t, log, 0))
	require.Equal(t, []int{6, 6, 5, 7}, seqsAbove(t, log, 4))
	require.Equal(t, []int{7}, seqsAbove(t, log, 6))
	head, err := log.Head(t.Context())
	require.NoError(t, err)
	require.Equal(t, sessionlog.Head{LastSeq: 7, OldestSeq: 3}, head)
}

// Two runs of one log, one behind the other: no mark may lead past the first.
func TestDisorderAcrossMarks(t *testing.T) {
	dir := t.TempDir()
	var file strings.Builder
	for range 2 {
		for seq := range 300 {
			file.WriteString(rec(strconv.Itoa(seq+1), "") + "\n")
		}
	}
	write(t, dir, "s.jsonl", file.String())
	got := seqsAbove(t, opened(t, newStore(t, dir, disk.Options{}), "s"), 256)
	require.Len(t, got, 344)
	require.Equal(t, []int{257, 258}, got[:2])
	require.Equal(t, []int{300, 1}, got[43:45])
}

func TestPagesAreBoundedInBytes(t *testing.T) {
	dir := t.TempDir()
	var file strings.Builder
	for seq := range 6 {
		file.WriteString(rec(strconv.Itoa(seq+1), `,"x":"`+strings.Repeat("x", 1<<20)+`"`) + "\n")
	}
	write(t, dir, "s.jsonl", file.String())
	log := opened(t, newStore(t, dir, disk.Options{}), "s")
	page, err := log.Read(t.Context(), 0, 0)
	require.NoError(t, err)
	require.Len(t, page.Events, 3)
	require.True(t, page.More)
	require.Equal(t, []int{4, 5, 6}, seqsAbove(t, log, 3))
}

// Whatever stands in the log or beside it, a lease is above all of it.
func TestALeaseIsAboveEverything(t *testing.T) {
	for name, c := range map[string]struct {
		file, state string
		want        events.Generation
	}{
		"generations fell":    {rec("1", `,"gen":5`) + "\n" + rec("2", `,"gen":3`), "", "6"},
		"the last has none":   {rec("1", `,"gen":5`) + "\n" + rec("2", ""), "", "6"},
		"state is ahead":      {rec("1", `,"gen":5`), `{"v":1,"generation":"9"}`, "10"},
		"state is behind":     {rec("1", `,"gen":12`), `{"v":1,"generation":"9"}`, "13"},
		"unordered, then one": {rec("1", `,"gen":"a"`) + "\n" + rec("2", `,"gen":3`), "", "4"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "s.jsonl", c.file)
			if c.state != "" {
				write(t, dir, "s.state", c.state)
			}
			g, err := opened(t, newStore(t, dir, disk.Options{}), "s").Acquire(t.Context())
			require.NoError(t, err)
			require.Equal(t, c.want, g)
		})
	}
}

func TestGenerationsThatCannotBeRaised(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "s.jsonl", rec("1", `,"gen":"alpha"`)+"\n")
	write(t, dir, "n.jsonl", strings.ReplaceAll(rec("1", `,"gen":99999999999999999999`), `"s"`, `"n"`)+"\n")
	store := newStore(t, dir, disk.Options{})
	_, err := opened(t, store, "s").Acquire(t.Context())
	require.ErrorIs(t, err, fault.BadInput)
	g, err := opened(t, store, "n").Acquire(t.Context())
	require.NoError(t, err)
	require.Equal(t, events.Generation("100000000000000000000"), g)
}

func TestReadOnlyWritesNothing(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "s.jsonl", rec("1", "")+"\n{")
	store := newStore(t, dir, disk.Options{ReadOnly: true})
	log := opened(t, store, "s")
	_, err := log.Append(t.Context(), "", []byte(`{"type":"x"}`))
	require.ErrorIs(t, err, fault.BadInput)
	_, err = log.Acquire(t.Context())
	require.ErrorIs(t, err, fault.BadInput)
	require.ErrorIs(t, log.Prune(t.Context(), 2), fault.BadInput)
	require.ErrorIs(t, store.Delete(t.Context(), "s"), fault.BadInput)
	_, err = store.Create(t.Context(), "new")
	require.ErrorIs(t, err, fault.BadInput)
	require.Equal(t, rec("1", "")+"\n{", text(t, dir, "s.jsonl"))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	_, err = disk.New(filepath.Join(dir, "none"), disk.Options{ReadOnly: true})
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = disk.New(filepath.Join(dir, "s.jsonl"), disk.Options{ReadOnly: true})
	require.ErrorIs(t, err, fault.BadInput)
}

func TestNamesThatOthersChose(t *testing.T) {
	dir := t.TempDir()
	for name, id := range map[string]string{"a:b.jsonl": "a:b", "50%.jsonl": "50%", "x%2fy.jsonl": "x%2fy"} {
		write(t, dir, name, `{"type":"x","seq":1,"ts":"t","sessionId":"`+id+`"}`)
	}
	write(t, dir, "notes.txt", "")
	write(t, dir, ".jsonl", "")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "d.jsonl"), 0o755))
	store := newStore(t, dir, disk.Options{})
	ids, err := store.List(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"50%", "a:b", "x%2fy"}, ids)
	for _, id := range ids {
		require.Equal(t, []int{1}, seqsAbove(t, opened(t, store, id), 0))
	}
	_, err = store.Create(t.Context(), "a:b")
	require.ErrorIs(t, err, fault.BadInput)
	_, err = store.Create(t.Context(), strings.Repeat("x", 241))
	require.ErrorIs(t, err, fault.BadInput)
}

func TestDamagedStateFile(t *testing.T) {
	for _, state := range []string{"", "{", `{"v":2}`, `[]`} {
		dir := t.TempDir()
		write(t, dir, "s.jsonl", rec("1", ""))
		write(t, dir, "s.state", state)
		_, err := newStore(t, dir, disk.Options{}).Open(t.Context(), "s")
		require.ErrorIs(t, err, fault.LogDamaged, state)
	}
}

// What a crash left goes when a store that may write opens the folder, and not before a
// day has passed.
func TestLeftOversGo(t *testing.T) {
	dir := t.TempDir()
	for name, age := range map[string]time.Duration{".tidemark-1.tmp": 25 * time.Hour, ".tidemark-2.tmp": time.Hour, "s1.jsonl": 25 * time.Hour} {
		write(t, dir, name, "")
		require.NoError(t, os.Chtimes(filepath.Join(dir, name), time.Time{}, time.Now().Add(-age)))
	}
	newStore(t, dir, disk.Options{ReadOnly: true})
	require.FileExists(t, filepath.Join(dir, ".tidemark-1.tmp"))
	newStore(t, dir, disk.Options{})
	require.NoFileExists(t, filepath.Join(dir, ".tidemark-1.tmp"))
	require.FileExists(t, filepath.Join(dir, ".tidemark-2.tmp"))
	require.FileExists(t, filepath.Join(dir, "s1.jsonl"))
}
