package relay_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/relay"
)

// what the consumer gets does not depend on where it comes from.
func TestPages(t *testing.T) {
	for _, generation := range []string{"", "7"} {
		for last := range 14 {
			for since := 0; since <= last; since++ {
				l := &log{last: last, generation: generation, of: same}
				token := ""
				if since > 0 {
					token = fmt.Sprintf("s:%d", since)
				}
				want := l.head() + l.frames(since+1, last) + live(last)
				cache := map[string][]byte{}
				for range 2 {
					got := serve(t, l, token, cache, false)
					require.Equal(t, frameData(want), frameData(string(got.Out)), "%d of %d", since, last)
				}
				kept := last/4 - since/4
				if generation == "" && since > 0 {
					kept = 0 // nothing shows that a page is of the log that the consumer has read
				}
				require.Len(t, cache, kept)
				require.Equal(t, frameData(want), frameData(string(serve(t, l, token, map[string][]byte{}, true).Out)), "no log route")
			}
		}
	}
}

// frameData leaves out ids, whose generation a server may know earlier.
func frameData(out string) (all []string) {
	for _, line := range strings.Split(out, "\n") {
		if !strings.HasPrefix(line, "id: ") {
			all = append(all, line)
		}
	}
	return all
}

// pages that are kept are asked for once, and the stream behind them from the
// event that they end with.
func TestPagesAreKept(t *testing.T) {
	l, cache := &log{last: 10, of: same}, map[string][]byte{}
	assert.Equal(t, []string{"page  4", "page s:3 5", "stream s:7"}, serve(t, l, "", cache, false).asked)
	assert.Equal(t, []string{"stream s:7"}, serve(t, l, "", cache, false).asked)
	l.last = 12
	assert.Equal(t, []string{"page s:7 5", "stream s:11"}, serve(t, l, "", cache, false).asked)
	fenced := &log{last: 12, generation: "7", of: same}
	assert.Equal(t, []string{"page s:3 5", "page s:7 5", "stream s:12@7"}, serve(t, fenced, "s:5", cache, false).asked)
}

// a page of a log that was lost and written anew is refused where it meets what
// is not of it, and is not kept.
func TestStalePages(t *testing.T) {
	old := &log{last: 8, of: same}
	anew := func(seq int) string { return "another" }
	for name, c := range map[string]struct {
		keep []string // pages of the old log that are still kept
		cut  int      // events that go out before the refusal
	}{
		"where it meets a page of the new log": {[]string{"4/s:4"}, 4},
		"where it meets the live stream":       {[]string{"4/s:4", "4/s:8"}, 8},
	} {
		t.Run(name, func(t *testing.T) {
			cache := map[string][]byte{}
			serve(t, old, "", cache, false)
			for key := range cache {
				if !strings.Contains(strings.Join(c.keep, " "), key) {
					delete(cache, key)
				}
			}
			require.Len(t, cache, len(c.keep))
			e := serve(t, &log{last: 10, of: anew}, "", cache, false)
			assert.Equal(t, c.cut, strings.Count(string(e.Out), "\nid: "))
			assert.Contains(t, string(e.Out), `"reason":"generation_changed","detail":"history_changed"`)
			assert.True(t, e.Closed)
			assert.Empty(t, cache, "no page of it is used again")
			again := serve(t, &log{last: 10, of: anew}, "", cache, false)
			assert.Equal(t, 10, strings.Count(string(again.Out), "\nid: "), "the next one gets the log as it is")
		})
	}
}

// without a generation, pages of a lost log are out before anything new
// contradicts them. A number alone does not tell whoever comes back from there.
func TestStalePagesBeforeABreak(t *testing.T) {
	cache := map[string][]byte{}
	serve(t, &log{last: 8, of: same}, "", cache, false)
	l := &log{last: 10, of: func(int) string { return "another" }}
	e := &edge{Host: newHost(t, relay.Options{Sessions: []string{"s"}, PageSize: 4}), log: l, cache: cache, stops: 3}
	e.stream(l.head())
	assert.Equal(t, 8, strings.Count(string(e.Out), `"n":"one"`))
	assert.NotContains(t, string(e.Out), "refused")
	back := serve(t, l, "s:8", cache, false)
	assert.Equal(t, frameData(l.head()+l.frames(9, 10)+live(10)), frameData(string(back.Out)))

	l.generation = "7"
	e = serve(t, l, "", cache, false)
	assert.Equal(t, frameData(l.head()+l.frames(1, 10)+live(10)), frameData(string(e.Out)), "under a generation none of them is used")
}

// a stale page behind a good one is asked for anew, and the log is read whole.
func TestStalePageBehindAGoodOne(t *testing.T) {
	cache := map[string][]byte{}
	serve(t, &log{last: 8, of: same}, "", cache, false)
	delete(cache, "4/s:4")
	l := &log{last: 10, of: func(int) string { return "another" }}
	e := serve(t, l, "", cache, false)
	assert.Equal(t, frameData(l.head()+l.frames(1, 10)+live(10)), frameData(string(e.Out)))
	assert.Equal(t, []string{"page  4", "page s:3 5", "stream s:7"}, e.asked)
}

// what nothing could show to be of one log does not come from pages. The log here
// was lost, and has grown again.
func TestPagesThatProveNothing(t *testing.T) {
	for name, c := range map[string]struct {
		log   log
		since string
	}{
		"no generation, and the consumer is in the middle": {log{last: 10, of: same}, "s:2"},
		"nothing to compare":                    {log{last: 10, bare: true}, ""},
		"nothing to compare under a generation": {log{last: 10, bare: true, generation: "7"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			cache := map[string][]byte{}
			for range 2 {
				e := serve(t, &c.log, c.since, cache, false)
				assert.Equal(t, frameData(c.log.head()+c.log.frames(seqOf(c.since)+1, 10)+live(10)), frameData(string(e.Out)))
				assert.False(t, e.Closed)
			}
			assert.Empty(t, cache)
		})
	}
}

// generations that rise in the log rise in its pages.
func TestPagesAcrossGenerations(t *testing.T) {
	for last := 8; last < 12; last++ {
		l := &log{last: last, generation: "7", of: same, rises: 6}
		cache := map[string][]byte{}
		for since := range last {
			token := ""
			if since > 0 {
				token = fmt.Sprintf("s:%d", since)
			}
			e := serve(t, l, token, cache, false)
			assert.Equal(t, frameData(l.head()+l.frames(since+1, last)+live(last)), frameData(string(e.Out)), "%d of %d", since, last)
			assert.False(t, e.Closed)
		}
	}
}

// pages that were pruned are not asked for.
func TestPrunedPages(t *testing.T) {
	for oldest, want := range map[int]string{4: "page s:3 5", 5: "stream s:4"} {
		l := &log{last: 10, generation: "7", of: same, oldest: oldest}
		e := serve(t, l, "s:4", map[string][]byte{}, false)
		asked := append(e.asked, "stream s:4")
		assert.Equal(t, want, asked[0])
		assert.Equal(t, frameData(l.head()+l.frames(5, 10)+live(10)), frameData(string(e.Out)))
	}
}

// the stream behind the pages begins with the event that they share, or is refused.
func TestStreamThatSkipsTheSharedEvent(t *testing.T) {
	l := &log{last: 10, of: same}
	e := &edge{Host: newHost(t, relay.Options{Sessions: []string{"s"}, PageSize: 4}), log: l, cache: map[string][]byte{}, skips: 1}
	e.stream(l.head())
	assert.Equal(t, 8, strings.Count(string(e.Out), "\nid: "))
	assert.Contains(t, string(e.Out), `"detail":"unproven"`)
	assert.True(t, e.Closed)
	assert.Empty(t, e.cache)
}

// the byte order mark of the second connection stands in no line of the answer.
func TestMarkBehindPages(t *testing.T) {
	l := &log{last: 10, of: same}
	e := &edge{Host: newHost(t, relay.Options{Sessions: []string{"s"}, PageSize: 4}), log: l, cache: map[string][]byte{}, mark: "\xEF\xBB\xBF"}
	e.stream(e.mark + l.head())
	assert.Equal(t, e.mark+l.head()+l.frames(1, 10)+live(10), string(e.Out))
	assert.True(t, e.last)
}

// wherever a relay with pages ends, another goes on from its place, and shows the
// same of what follows.
func TestGoesOnBehindPages(t *testing.T) {
	for name, c := range map[string]struct{ log, now *log }{ // that the pages are of, and that the server has
		"the log":     {&log{last: 10, of: same}, &log{last: 10, of: same}},
		"another log": {&log{last: 10, of: same}, &log{last: 10, of: func(int) string { return "another" }}},
	} {
		for pages := range 3 {
			t.Run(fmt.Sprint(name, ", behind page ", pages), func(t *testing.T) {
				cache := map[string][]byte{}
				serve(t, c.log, "", cache, false)
				e := &edge{Host: newHost(t, relay.Options{Sessions: []string{"s"}, PageSize: 4}), log: c.log, cache: cache, stops: pages + 1}
				e.stream(c.log.head())
				require.Len(t, e.Places, 1)
				place, ok := relay.ReadPlace([]byte(e.Places[0]))
				require.True(t, ok)
				r, f := relay.New(&relay.Options{Sessions: []string{"s"}, PageSize: 4, Places: []relay.Place{place}})
				require.Nil(t, f)
				e.Relay, e.log, e.stops = r, c.now, 0
				e.run(clone(r.Begin()))
				want := 10
				if name == "another log" && pages > 0 { // else nothing is out that the new log could contradict
					want = 4 * pages
				}
				assert.Equal(t, want, strings.Count(string(e.Out), "\nid: "))
				assert.Equal(t, want < 10, strings.Contains(string(e.Out), "history_changed"))
				assert.Equal(t, 1, strings.Count(string(e.Out), "tidemark.head"))
			})
		}
	}
}

// A page that is none does no harm: it is asked for anew, or the stream says it all.
func TestPagesThatAreNone(t *testing.T) {
	l := &log{last: 10, of: same}
	want := frameData(l.head() + l.frames(1, 10) + live(10))
	for name, body := range map[string]string{
		"no JSON": "{", "no object": "[]", "no head": `{"events":[]}`, "events that are no list": `{"head":{},"events":1}`,
		"too short":          string(l.page("", 3)),
		"another generation": string((&log{last: 10, generation: "8", of: same}).page("", 4)),
		"other numbers":      string(l.page("s:1", 4)),
		"another session":    strings.ReplaceAll(string(l.page("", 4)), `"s"`, `"t"`),
	} {
		t.Run(name, func(t *testing.T) {
			cache := map[string][]byte{"4/s:4": []byte(body)}
			got := serve(t, l, "", cache, false)
			assert.Equal(t, want, frameData(string(got.Out)))
			assert.Equal(t, "page  4", got.asked[0])
			assert.Equal(t, string(l.page("", 4)), string(cache["4/s:4"]), "kept as it is")
		})
	}
}

// once pages have taken over, no connection is open any more; whoever goes on
// for the relay asks for one, and the consumer gets the rest of the log.
func TestGoesOnFromPages(t *testing.T) {
	l := &log{last: 10, generation: "7", of: same}
	for _, since := range []int{0, 2} {
		for pages := range 3 {
			o := relay.Options{Sessions: []string{"s"}, PageSize: 4}
			if since > 0 {
				o.Cursors = at(since)
			}
			first := newHost(t, o)
			first.Feed(l.head() + l.frames(since+1, 10))
			for i := range pages {
				first.Obey(first.Relay.Page(l.page(fmt.Sprintf("s:%d", max(i*4-1, 0)), 4+min(i, 1)), false))
			}
			if first.Places[0] == "" || !strings.Contains(first.Places[0], "paging") {
				require.Equal(t, 2, pages, "all pages are read")
				continue
			}
			second := &edge{Host: newHost(t, resumed(t, o, first.Places)), log: l}
			second.run(clone(second.Relay.Begin()))
			want := l.head() + l.frames(since+1, 10) + live(10)
			require.Equal(t, frameData(want), frameData(string(first.Out)+string(second.Out)), "since %d, behind %d pages", since, pages)
		}
	}
}

// pages are for one session of our profile, from its cursor or its beginning, that
// is enforced.
func TestNoPagesFor(t *testing.T) {
	l := &log{last: 10, of: same}
	for name, o := range map[string]relay.Options{
		"two sessions":            {Sessions: []string{"s", "t"}},
		"a session without name":  {},
		"a stream from now":       {Sessions: []string{"s"}, From: link.FromNow},
		"one that only watches":   {Sessions: []string{"s"}, Mode: link.Observe},
		"numbers from 0":          {Sessions: []string{"s"}, Profile: custom(`{"base":0}`)},
		"a profile made of ours":  {Sessions: []string{"s"}, Profile: custom(`{"terminal":[]}`)},
		"records":                 {Sessions: []string{"s"}, Profile: custom(`"record"`)},
		"one that goes on midway": {Sessions: []string{"s"}, Places: []relay.Place{{Stood: link.Stood{Session: "s"}}}},
		"no page size":            {Sessions: []string{"s"}},
	} {
		t.Run(name, func(t *testing.T) {
			if o.PageSize = 4; name == "no page size" {
				o.PageSize = 0
			}
			e := &edge{Host: newHost(t, o), log: l, cache: map[string][]byte{}}
			e.stream(l.head() + l.frames(1, 10))
			assert.Empty(t, e.asked)
			assert.Empty(t, e.cache)
		})
	}
}

// a head that says that a refusal follows accepts nothing, whatever its numbers are.
func TestNoPagesBeforeARefusalOfTheServer(t *testing.T) {
	l := &log{last: 10, generation: "7", of: same}
	e := &edge{Host: newHost(t, relay.Options{Sessions: []string{"s"}, PageSize: 4}), log: l, cache: map[string][]byte{}}
	in := strings.Replace(l.head(), `"lastSeq"`, `"verdict":"unavailable","lastSeq"`, 1) +
		"event: tidemark.refused\ndata: {\"sessionId\":\"s\",\"reason\":\"gap\",\"detail\":\"hole\"}\n\n"
	e.stream(in)
	assert.Empty(t, e.asked)
	assert.Equal(t, in, string(e.Out))
	assert.True(t, e.Closed)
}

// what is kept for one session, generation or size of pages is kept for no other.
func TestKeysOfPages(t *testing.T) {
	seen := map[string]string{}
	for _, session := range []string{"s", "s:4", "s@7", "s:4@7", "4/s", "a/../b", "s 1", "s?x=1#y", "ö", "%40", "s%407"} {
		for _, generation := range []string{"", "7", `"7 "`, `"@"`, `"%40"`, `":4"`} {
			for size := 2; size <= 4; size += 2 {
				e := &edge{Host: newHost(t, relay.Options{Sessions: []string{session}, PageSize: size}), stops: 1}
				l := log{last: 8, generation: generation}
				e.stream(strings.ReplaceAll(l.head(), `"s"`, string(rawjson.AppendQuoted(nil, session))))
				require.NotEmpty(t, e.key)
				what := fmt.Sprint(session, " ", generation, " ", size)
				require.Empty(t, seen[e.key], "%s has the key of %s", e.key, what)
				seen[e.key] = what
			}
		}
	}
}

// what comes from pages has its verdicts, and so has what is refused there.
func TestVerdictsOfPages(t *testing.T) {
	l := &log{last: 10, of: same}
	o := relay.Options{Sessions: []string{"s"}, PageSize: 4, Verdicts: true}
	cache := map[string][]byte{}
	e := &edge{Host: newHost(t, o), log: l, cache: cache}
	e.stream(l.head())
	accepted := 0
	for _, told := range e.Watched {
		if strings.Contains(told, `"verdict":"accept"`) {
			accepted++
			assert.Contains(t, told, fmt.Sprintf(`"cursor":"s:%d"`, accepted))
		}
	}
	assert.Equal(t, 10, accepted)
	assert.Zero(t, e.Relay.Told(), "the stream behind the pages may stay open for long")

	delete(cache, "4/s:8")
	e = &edge{Host: newHost(t, o), log: &log{last: 10, of: func(int) string { return "another" }}, cache: cache}
	e.stream(l.head())
	assert.Contains(t, e.Watched[len(e.Watched)-1], `"verdict":"unavailable","reason":"generation_changed","detail":"history_changed"`)
	assert.True(t, e.Closed)
}

// generations that were passed in pages do not come back behind them.
func TestGenerationsBehindPages(t *testing.T) {
	l := &log{last: 10, generation: "7", of: same, rises: 10}
	e := &edge{Host: newHost(t, relay.Options{Sessions: []string{"s"}, PageSize: 4}), log: l, cache: map[string][]byte{}, falls: true}
	e.stream(l.head())
	assert.Equal(t, 8, strings.Count(string(e.Out), "\nid: "))
	assert.Contains(t, string(e.Out), `"detail":"stale_generation"`)
}
