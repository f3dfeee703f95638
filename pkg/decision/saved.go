package decision

import (
	"slices"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/fault"
)

// AppendState writes the grants as a JSON object that [Grants.Restore] reads:
// `{"fold":…,"asked":[[decisionId,turn]…],"keys":[[turn,key]…]}`.
func (g *Grants) AppendState(dst []byte) []byte {
	w := rawjson.Begin(dst)
	w.Name("fold")
	w.Append(g.fold.AppendState)
	w.OpenList("asked")
	for _, id := range sorted(g.asked) {
		writePair(&w, id, g.asked[id])
	}
	w.CloseList()
	w.OpenList("keys")
	for _, turn := range sorted(g.keys) {
		for _, key := range sorted(g.keys[turn]) {
			writePair(&w, turn, key)
		}
	}
	w.CloseList()
	return w.End()
}

func sorted[T any](m map[string]T) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func writePair(w *rawjson.Writer, first, second string) {
	w.OpenList("")
	w.Text("", first)
	w.Text("", second)
	w.CloseList()
}

// Restore makes the grants those that were saved. It fails with fault.BadRecord,
// and they are empty then, on what [Grants.AppendState] did not write.
func (g *Grants) Restore(state []byte) error {
	var r Grants
	if !r.restore(state) {
		*g = Grants{}
		return fault.New(fault.BadRecord, "saved grants", fault.Clip(state))
	}
	*g = r
	return nil
}

func (g *Grants) restore(state []byte) bool {
	if problem, _ := rawjson.Check(state, len(state)); problem != rawjson.OK {
		return false
	}
	g.asked = map[string]string{}
	return g.fold.Restore(rawjson.Value(state, "fold")) == nil &&
		readPairs(rawjson.Value(state, "asked"), func(id, turn string) { g.asked[id] = turn }) &&
		readPairs(rawjson.Value(state, "keys"), g.remember)
}

// readPairs reads a list of lists of two texts.
func readPairs(list []byte, put func(first, second string)) bool {
	if rawjson.KindOf(list) != rawjson.Array {
		return false
	}
	return rawjson.Each(list, func(pair []byte) bool {
		var texts []string
		ok := rawjson.KindOf(pair) == rawjson.Array && rawjson.Each(pair, func(raw []byte) bool {
			text, ok := rawjson.Text(raw)
			texts = append(texts, text)
			return ok
		})
		if ok = ok && len(texts) == 2; ok {
			put(texts[0], texts[1])
		}
		return ok
	})
}
