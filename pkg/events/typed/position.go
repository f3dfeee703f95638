package typed

import (
	"strconv"

	"github.com/tidemark-stream/tidemark/internal/rawjson"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// place is the seq of an event.
func place() codec[events.Seq] {
	const want = "an integer from 1 to 9007199254740991 in digits"
	return codec[events.Seq]{
		want: want,
		read: func(raw []byte) (events.Seq, *mismatch) {
			n, ok := events.ParseSeq(raw)
			if !ok {
				return 0, &mismatch{want: want, found: otherThan(raw)}
			}
			return n, nil
		},
		write: func(v events.Seq) ([]byte, *mismatch) {
			if v < 1 || v > events.MaxSeq {
				return nil, &mismatch{want: want, found: strconv.FormatUint(uint64(v), 10)}
			}
			return strconv.AppendUint(nil, uint64(v), 10), nil
		},
		same: equal[events.Seq],
	}
}

// fence is the generation of an event. 7 and "7" are the same; a changed
// one is written as a number when it is one without leading zeros, else as text.
func fence() codec[events.Generation] {
	const want = "an integer of at least 0 in digits, or text that is not empty"
	return codec[events.Generation]{
		want: want,
		read: func(raw []byte) (events.Generation, *mismatch) {
			g, ok := events.ParseGeneration(raw)
			if !ok {
				return "", &mismatch{want: want, found: otherThan(raw)}
			}
			return g, nil
		},
		write: func(v events.Generation) ([]byte, *mismatch) {
			if g, ok := events.ParseGeneration([]byte(v)); ok && g == v {
				return []byte(v), nil
			}
			raw := quote(v)
			if g, ok := events.ParseGeneration(raw); !ok || g != v {
				return nil, &mismatch{want: want, found: "other text"}
			}
			return raw, nil
		},
		same: equal[events.Generation],
	}
}

// otherThan says what a value is that may be of the right kind.
func otherThan(raw []byte) string {
	switch rawjson.KindOf(raw) {
	case rawjson.Number:
		return "another number"
	case rawjson.String:
		return "other text"
	}
	return foundIn(raw)
}
