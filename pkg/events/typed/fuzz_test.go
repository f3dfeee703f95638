package typed

import (
	"encoding/json"
	"testing"

	"github.com/tidemark-stream/tidemark/internal/gen/sample"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/events/catalog"
)

// What is decoded is encoded as it was; what the scanner refuses is not decoded.
func FuzzDecode(f *testing.F) {
	for _, row := range catalog.Events() {
		f.Add(sample.Text(sample.Event(row, sample.Full)))
		f.Add([]byte(spread(sample.Event(row, sample.Minimal))))
	}
	f.Add(sample.Text(sample.Run(catalog.Events()[0], sample.Full)))
	f.Add([]byte(completed))
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := Decode(text)
		if err != nil {
			return
		}
		if problem, _ := scanEnvelope(text, e.Common().Form()); problem != events.NoProblem {
			t.Fatalf("decoded what the scanner refuses: %s", problem)
		}
		identity(t, e, text)
	})
}

func FuzzDecodeRecord(f *testing.F) {
	for _, row := range catalog.Records {
		f.Add(sample.Text(sample.Record(row, sample.Full)))
		f.Add([]byte(spread(sample.Record(row, sample.Minimal))))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if e, err := DecodeRecord(text); err == nil {
			identity(t, e, text)
		}
	})
}

// identity holds an event against its text, and then changes it: the result has
// to be JSON that reads back with the change in it.
func identity(t *testing.T, e Event, text []byte) {
	back, err := Encode(e)
	if err != nil || string(back) != string(text) {
		t.Fatalf("%q came back as %q (%v)", text, back, err)
	}
	b := e.Common()
	b.V = Some(IntOf(77))
	b.Generation = Opt[events.Generation]{}
	changed, err := Encode(e)
	if err != nil || !json.Valid(changed) {
		t.Fatalf("%q changed into %q (%v)", text, changed, err)
	}
	read := Decode
	if b.Form() == Recorded {
		read = DecodeRecord
	}
	again, err := read(changed)
	if err != nil {
		t.Fatalf("%q changed into %q: %v", text, changed, err)
	}
	if v, _ := again.Common().V.Get(); v != "77" || again.Common().Generation != (Opt[events.Generation]{}) {
		t.Fatalf("%q changed into %q and lost the change", text, changed)
	}
}
