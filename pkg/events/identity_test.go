package events_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/events/catalog"
)

// of a type in the table, exactly the members that the table gives it.
func TestIdentifiesWhatTheTableNames(t *testing.T) {
	all := map[string]bool{"turnId": true}
	for _, e := range catalog.Events() {
		for _, f := range e.Fields {
			all[f.Name] = true
		}
	}
	for _, e := range catalog.Events() {
		own := map[string]bool{"turnId": true}
		for _, f := range e.Fields {
			own[f.Name] = true
		}
		known := events.TypeIndex([]byte(e.Name))
		for name := range all {
			require.Equal(t, own[name], events.Identifies(known, []byte(name)), "%s of %s", name, e.Name)
		}
		for _, name := range []string{"", "type", "seq", "sessionId", "generation", "lineage", "TurnId", "turnid", "turnIdx", "trace"} {
			require.Equal(t, own[name], events.Identifies(known, []byte(name)), "%s of %s", name, e.Name)
		}
	}
}

// of any other type, whatever no envelope has.
func TestIdentifiesAllOfUnknownTypes(t *testing.T) {
	for _, known := range []int{-1, events.TypeCount, -7, 1 << 40} {
		for _, e := range []catalog.Envelope{catalog.Session, catalog.Run, catalog.PersistedRun, catalog.Record} {
			for _, f := range e.Fields {
				require.Equal(t, f.Name == "turnId", events.Identifies(known, []byte(f.Name)), f.Name)
			}
		}
		for name, want := range map[string]bool{"type": false, "sessionId": false, "anything": true, "": true, "Seq": true, "turnId": true} {
			require.Equal(t, want, events.Identifies(known, []byte(name)), name)
		}
	}
	require.NotZero(t, events.IdentityScheme)
}
