package gen

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/events/catalog"
)

// identityFile is the table of what tells two events apart, as the lean module
// looks names up in it.
func identityFile(string) ([]File, error) {
	names := newPool(envelopeNames())
	var rows, counts strings.Builder
	total := 0
	for _, e := range catalog.Events() {
		own := identityOf(e)
		for _, name := range own {
			fmt.Fprintf(&rows, "%d, ", names.number(name))
		}
		fmt.Fprintf(&rows, "// %s\n", e.Name)
		total += len(own)
		fmt.Fprintf(&counts, "%d, ", total)
	}
	if len(names.all) > 256 {
		return nil, fmt.Errorf("%d member names do not fit into a byte each", len(names.all))
	}
	var b strings.Builder
	b.WriteString(goHeader + "package events\n\n")
	fmt.Fprintf(&b, "// IdentityScheme numbers this table: proofs made with another one cannot be compared.\nconst IdentityScheme uint16 = %#04x\n\n", scheme(names, rows.String()))
	fmt.Fprintf(&b, "// wrapNames is how many of memberNames are of an envelope.\nconst wrapNames = %d\n\n", names.fixed)
	b.WriteString("// memberNames are the names of members, those of envelopes first.\nconst memberNames = \"\" +\n")
	for _, name := range names.all {
		fmt.Fprintf(&b, "%q +\n", name)
	}
	b.WriteString("\"\"\n\n// memberEnds has where each of memberNames ends.\n")
	fmt.Fprintf(&b, "var memberEnds = [%d]uint16{", len(names.all))
	end := 0
	for i, name := range names.all {
		if i%16 == 0 {
			b.WriteString("\n")
		}
		end += len(name)
		fmt.Fprintf(&b, "%d, ", end)
	}
	b.WriteString("\n}\n\n// identity has the members that identify an event, type by type, as numbers of memberNames.\n")
	fmt.Fprintf(&b, "var identity = [%d]uint8{\n%s}\n\n", total, rows.String())
	fmt.Fprintf(&b, "// identityEnds has where the members of each type end.\nvar identityEnds = [TypeCount]uint16{%s}\n", counts.String())
	return goFile("pkg/events/identity_gen.go", b.String())
}

// identityOf is what tells one event of a type from another: the members that
// the table gives it, the turn included. The session is that of the log.
func identityOf(e catalog.Event) []string {
	var names []string
	if e.Turn != events.TurnUnknown {
		names = append(names, "turnId")
	}
	for _, f := range e.Fields {
		names = append(names, f.Name)
	}
	return names
}

// envelopeNames are the members that surround what an event says: they belong to
// its place, or to how it is stored or relayed. The turn is no place.
func envelopeNames() []string {
	names := []string{"type", "sessionId"}
	for _, e := range []catalog.Envelope{catalog.Session, catalog.Record, catalog.Run, catalog.PersistedRun} {
		for _, f := range e.Fields {
			if f.Name != "turnId" && !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// pool is a list of names, each once. The first ones are fixed.
type pool struct {
	all   []string
	fixed int
}

func newPool(fixed []string) *pool { return &pool{slices.Clone(fixed), len(fixed)} }

// number is the place of a name, which is added when it has none.
func (p *pool) number(name string) int {
	if i := slices.Index(p.all, name); i >= 0 {
		return i
	}
	p.all = append(p.all, name)
	return len(p.all) - 1
}

// scheme is a number for a table, never 0.
func scheme(names *pool, rows string) uint16 {
	h := fnv.New64a()
	fmt.Fprintln(h, names.fixed, names.all, rows)
	return uint16(h.Sum64()) | 1
}
