package demo

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/events/catalog"
	"github.com/tidemark-stream/tidemark/pkg/events/typed"
)

// cycle is one round through all scenes.
func cycle(t *testing.T, s *script) []step {
	t.Helper()
	var all []step
	for range scenes {
		steps, err := s.next()
		require.NoError(t, err)
		all = append(all, steps...)
	}
	return all
}

func TestOneCycleHoldsEveryEventType(t *testing.T) {
	for seed := range uint64(20) {
		seen := map[string]bool{}
		for _, s := range cycle(t, newScript("ses_demo", seed, 0)) {
			seen[s.kind] = true
		}
		require.Len(t, catalog.Events(), 62)
		for _, e := range catalog.Events() {
			require.True(t, seen[e.Name], "seed %d: no %s", seed, e.Name)
		}
	}
}

// Every event has to be one for those who read it typed, down to its last member,
// and go where its class says.
func TestEveryEventDecodes(t *testing.T) {
	known := map[string]catalog.Event{}
	for _, e := range catalog.Events() {
		known[e.Name] = e
	}
	records := map[string]bool{}
	for _, r := range catalog.Records {
		records[r.Name] = true
	}
	for _, s := range cycle(t, newScript("ses_demo", 7, 0)) {
		e, err := typed.Decode(s.text)
		require.NoError(t, err, "%s", s.text)
		require.Equal(t, s.kind, e.Type())
		if event, live := known[s.kind]; live {
			require.Equal(t, event.Class == events.ClassLog, s.recorded, s.kind)
			require.Equal(t, s.session, string(e.Common().SessionID))
			requireKnownValues(t, event, s.text)
		} else {
			require.True(t, records[s.kind], "%s is in no catalog", s.kind)
			require.True(t, s.recorded)
		}
		turn, _ := e.Common().TurnID.Get()
		require.Equal(t, s.turn, string(turn))
	}
}

// requireKnownValues holds members against the lists of the catalog: no member is
// made up, no value is outside its list.
func requireKnownValues(t *testing.T, event catalog.Event, text []byte) {
	t.Helper()
	allowed := map[string]string{"type": "", "sessionId": "", "turnId": "", "lineage": ""}
	for _, f := range event.Fields {
		allowed[f.Name] = f.Type
	}
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(text, &members))
	for name, value := range members {
		kind, ok := allowed[name]
		require.True(t, ok, "%s has no member %s", event.Name, name)
		for _, enum := range catalog.Enums {
			if kind == "enum:"+enum.Name {
				var v string
				require.NoError(t, json.Unmarshal(value, &v))
				require.Contains(t, enum.Values, v, "%s.%s", event.Name, name)
			}
		}
	}
}

// What is streamed bit by bit has to add up to what is settled, to the byte.
func TestDeltasAddUp(t *testing.T) {
	text, thought, input := map[typed.MessageID]string{}, map[typed.MessageID]string{}, map[typed.ToolUseID]string{}
	settled := 0
	for _, s := range cycle(t, newScript("ses_demo", 3, 0)) {
		e, err := typed.Decode(s.text)
		require.NoError(t, err)
		switch e := e.(type) {
		case *typed.TextDelta:
			text[e.MessageID] += e.Text
		case *typed.MessageCompleted:
			require.NotEmpty(t, e.Content.Or(""))
			require.Equal(t, e.Content.Or(""), text[e.MessageID])
			settled++
		case *typed.ReasoningDelta:
			thought[e.MessageID] += e.Text
		case *typed.ReasoningCompleted:
			require.Equal(t, e.Text.Or(""), thought[e.MessageID])
			settled++
		case *typed.ToolInputDelta:
			input[e.ToolUseID] += e.PartialJSON
		case *typed.ToolInputCompleted:
			require.Equal(t, string(e.Input), input[e.ToolUseID])
			settled++
		}
	}
	require.Greater(t, settled, 50)
}

// A tool that runs was asked for, and ends; a turn opens once and closes once.
func TestTurnsAndToolsCloseOnce(t *testing.T) {
	turns, tools := map[string]int{}, map[typed.ToolUseID]string{}
	for _, s := range cycle(t, newScript("ses_demo", 11, 0)) {
		if events.TypeAt(events.TypeIndex([]byte(s.kind))).Terminal {
			require.Equal(t, 1, turns[s.turn])
			turns[s.turn]++
		}
		e, err := typed.Decode(s.text)
		require.NoError(t, err)
		switch e := e.(type) {
		case *typed.TurnStarted:
			require.Zero(t, turns[s.turn])
			turns[s.turn]++
		case *typed.ToolInputCompleted:
			tools[e.ToolUseID] += "i"
		case *typed.ToolExecuting:
			tools[e.ToolUseID] += "x"
		case *typed.ToolCompleted:
			tools[e.ToolUseID] += "c"
		}
	}
	for turn, n := range turns {
		require.Equal(t, 2, n, turn)
	}
	for id, path := range tools {
		require.Equal(t, "ixc", path, id)
	}
}

func TestTheSeedDecides(t *testing.T) {
	same := func(a, b []step) bool {
		return slices.EqualFunc(a, b, func(a, b step) bool { return string(a.text) == string(b.text) && a.pause == b.pause })
	}
	first := cycle(t, newScript("ses_demo", 5, 0))
	require.True(t, same(first, cycle(t, newScript("ses_demo", 5, 0))))
	require.False(t, same(first, cycle(t, newScript("ses_demo", 6, 0))))
}

// A page that watches has something to see, and can follow it.
func TestPace(t *testing.T) {
	steps := cycle(t, newScript("ses_demo", 1, 0))
	var whole time.Duration
	recorded := 0
	for _, s := range steps {
		whole += s.pause
		if s.recorded {
			recorded++
		}
	}
	perSecond := float64(len(steps)) / whole.Seconds()
	t.Logf("%d events, %d of them recorded, in %s: %.1f a second", len(steps), recorded, whole, perSecond)
	require.True(t, perSecond >= 6 && perSecond <= 12, "%.1f events a second", perSecond)
}

func TestIDsNeverComeAgain(t *testing.T) {
	s, seen := newScript("ses_demo", 2, 0), map[string]bool{}
	for range 3 {
		for _, step := range cycle(t, s) {
			if step.kind == "turn_started" {
				require.False(t, seen[step.turn])
				seen[step.turn] = true
			}
		}
	}
}
