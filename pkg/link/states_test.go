package link_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/link"
)

// scripts are all stories, and what else leads through the tables.
func scripts(t *testing.T) (all []string) {
	files, err := filepath.Glob(filepath.Join(stories, "*.txt"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		script, err := os.ReadFile(file)
		require.NoError(t, err)
		all = append(all, string(script))
	}
	return append(all, corners...)
}

// Every transition that the table of states promises is taken by some script, and
// none is taken that it does not have.
func TestTransitions(t *testing.T) {
	rows := map[link.Transition]bool{}
	for _, row := range link.ConnectionTable().Rows {
		row.When = ""
		require.NotContains(t, rows, row, "a row twice")
		rows[row] = false
	}
	for _, script := range scripts(t) {
		s := &stage{t: t, seen: func(from, in, to, trace string) {
			row := link.Transition{From: from, Input: in, To: to}
			if _, known := rows[row]; known {
				rows[row] = true
			} else if from != to || trace != "" {
				require.Contains(t, trace, "fail stream.bad_input", "%v has no row, in\n%s", row, script)
			}
		}}
		s.play(script)
	}
	for row, taken := range rows {
		if !taken {
			t.Errorf("no script takes %v", row)
		}
	}
}

// ways into each state, of a link with one session and what it can ask the app for.
var into = map[string]string{
	"new":          "",
	"idle":         "start|opened 410",
	"connecting":   "start",
	"open":         "start|opened",
	"waiting":      "start|opened|closed broken",
	"offline":      "offline|start",
	"unauthorized": "start|opened 401",
	"closed":       "start|stop",
}

var plainInputs = map[string]string{
	"bytes": "event s1:4", "loaded": "loaded 0 s1:9", "loadFailed": "loadfailed 0 why", "reset": "reset 0 s1:9", "applied": "applied 0 3",
}

// Every cell of the table does what the page says: it moves as a row has it, passes
// the input over, or is a fault of the driver by name. No input panics.
func TestCells(t *testing.T) {
	table := link.ConnectionTable()
	require.Len(t, into, len(table.States))
	rows, faults := map[link.Transition]bool{}, map[link.Transition]bool{}
	for _, row := range table.Rows {
		rows[link.Transition{From: row.From, Input: row.Input, To: row.To}] = true
		rows[link.Transition{From: row.From, Input: row.Input}] = true
	}
	for _, row := range table.Faults {
		faults[row] = true
	}
	for _, state := range table.States {
		from := state.Name
		for _, in := range table.Inputs {
			s := &stage{t: t}
			s.perform("new cursor=s1:3 load credentials", nil)
			for _, line := range strings.FieldsFunc(into[from], func(r rune) bool { return r == '|' }) {
				s.perform(line, nil)
			}
			require.Equal(t, from, s.link.StateName())
			line := plainInputs[in]
			if line == "" {
				line = in
			}
			trace := strings.Join(s.perform(line, nil), "\n")
			to := s.link.StateName()
			cell := link.Transition{From: from, Input: in}
			switch {
			case faults[cell]:
				require.Contains(t, trace, "fail stream.bad_input", "%v", cell)
				require.Contains(t, trace, in)
				require.Equal(t, "closed", to)
			case rows[cell]:
				require.True(t, rows[link.Transition{From: from, Input: in, To: to}], "%v leads to %s", cell, to)
			default:
				require.Empty(t, trace, "%v is passed over", cell)
				require.Equal(t, from, to)
			}
		}
	}
}

// Every turn of the table of phases is taken by some script: without it, one fails.
func TestTurns(t *testing.T) {
	all := scripts(t)
	for p := 1; p < link.PhaseCount; p++ {
		for h := range link.HappeningCount {
			if restore, had := link.Forget(p, h); had {
				assert.True(t, missed(t, all), "no script takes the turn of %s by %s", link.PhaseName(p), link.HappeningName(h))
				restore()
			}
		}
	}
}

// missed reports whether a script meets a turn that the table does not have.
func missed(t *testing.T, scripts []string) bool {
	for _, script := range scripts {
		if strings.Contains(play(t, script), "a turn of a session") {
			return true
		}
	}
	return false
}
