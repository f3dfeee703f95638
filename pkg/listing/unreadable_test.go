package listing_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tidemark-stream/tidemark/pkg/fault"
	"github.com/tidemark-stream/tidemark/pkg/listing"
	"github.com/tidemark-stream/tidemark/pkg/park"
)

// worn is a listing of runs, of which each letter is one: those in small letters can be
// read, the others have nothing that can be, and one that is followed by ! has both.
func worn(runs ...string) listing.Rows {
	return func(after listing.Key, yield func(*listing.Run) bool) error {
		for _, text := range runs {
			id, mixed := strings.CutSuffix(text, "!")
			r := &listing.Run{RunScope: run(id)}
			bad := id == strings.ToUpper(id)
			if !bad {
				r.Checkpoints = []listing.Checkpoint{cp}
			}
			if bad || mixed {
				r.Unreadable = []listing.Unreadable{{RunScope: run(id), CheckpointID: "x", Fault: fault.New(fault.BadDocument, "", "secret")}}
			}
			if r.Key().Compare(after) > 0 && !yield(r) {
				return nil
			}
		}
		return nil
	}
}

// shown are the rows of a page, and behind a bar the runs of what cannot be read.
func shown(p listing.Page) string {
	var broken []string
	for _, u := range p.Unreadable {
		broken = append(broken, u.RunID)
	}
	return strings.Join(names(p), " ") + " | " + strings.Join(broken, " ")
}

// page by page each is named once, on the page that passes over it.
func TestUnreadableDocumentsByPage(t *testing.T) {
	runs := []string{"A", "B", "c", "d!", "d1", "d2", "e", "e1!"}
	for limit, want := range map[int][]string{
		1: {"c | A B", "d | d", "d1 | ", "d2 | ", "e | ", "e1 | e1"},
		2: {"c d | A B d", "d1 d2 | ", "e e1 | e1"},
		9: {"c d d1 d2 e e1 | A B d e1"},
	} {
		var pages []string
		for token := ""; ; {
			page, err := listing.Select(tenant, listing.Options{Limit: limit, Page: token}, worn(runs...))
			require.NoError(t, err)
			pages = append(pages, shown(page))
			if token = page.Next; token == "" {
				break
			}
		}
		require.Equal(t, want, pages)
	}
}

// behind a full page without another row there is no other page to name it.
func TestUnreadableDocumentsAtTheEnd(t *testing.T) {
	page, err := listing.Select(tenant, listing.Options{Limit: 2}, worn("a", "b", "~"))
	require.NoError(t, err)
	require.Equal(t, "a b | ~", shown(page))
	require.Empty(t, page.Next)
}

// no filter hides them, and no scope but their own shows them.
func TestUnreadableDocumentsUnderAFilter(t *testing.T) {
	page, err := listing.Select(tenant, listing.Options{Park: []park.State{park.Expired}}, worn("A", "b!"))
	require.NoError(t, err)
	require.Equal(t, " | A b", shown(page))
	page, err = listing.Select(listing.Scope{TenantID: "other"}, listing.Options{}, worn("A", "b!"))
	require.NoError(t, err)
	require.Equal(t, " | ", shown(page))
}

// of several stores, what stands behind the end of their page comes with the
// next one.
func TestUnreadableDocumentsOfSeveralStores(t *testing.T) {
	o := listing.Options{Limit: 2}
	one, err := listing.Select(tenant, o, worn("A", "b", "c!"))
	require.NoError(t, err)
	two, err := listing.Select(tenant, o, worn("a", "d!"))
	require.NoError(t, err)
	page := listing.Merge(tenant, o, one, two)
	require.Equal(t, "a b | A", shown(page))
	require.NotEmpty(t, page.Next)
	o.Page = page.Next
	one, err = listing.Select(tenant, o, worn("A", "b", "c!"))
	require.NoError(t, err)
	two, err = listing.Select(tenant, o, worn("a", "d!"))
	require.NoError(t, err)
	require.Equal(t, "c d | c d", shown(listing.Merge(tenant, o, one, two)))
}

// what was found stays here.
func TestUnreadableAsJSON(t *testing.T) {
	page, err := listing.Select(tenant, listing.Options{}, worn("A"))
	require.NoError(t, err)
	require.JSONEq(t, `{"entries":[],"unreadable":[{"tenantId":"t1","projectId":"p1","sessionId":"s1","runId":"A","checkpointId":"x","code":"durable.bad_document"}]}`,
		string(page.AppendJSON(nil)))
}
