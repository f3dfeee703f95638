package checkpoint

import (
	"encoding/hex"

	"github.com/tidemark-stream/tidemark/internal/sha256"
	"github.com/tidemark-stream/tidemark/pkg/events"
)

// Sum is a SHA-256 digest.
type Sum [sha256.Size]byte

// String is the digest in lower case hexadecimal, as it is written everywhere.
func (s Sum) String() string { return hex.EncodeToString(s[:]) }

// SumOf is the digest of a text.
func SumOf(text []byte) Sum { return sha256.Of(text) }

// ParseSum reads 64 hexadecimal digits in lower case; nothing else is a sum, so
// that every digest has one text.
func ParseSum(text string) (s Sum, ok bool) {
	if len(text) != hex.EncodedLen(len(s)) {
		return Sum{}, false
	}
	n, err := hex.Decode(s[:], []byte(text))
	if err != nil || n != len(s) || s.String() != text {
		return Sum{}, false
	}
	return s, true
}

// Chain is the digest of the beginning of a log. The zero Chain stands
// before the first record. It is a plain value: a copy goes on by itself, and its
// seq and sum are all there is to keep.
type Chain struct {
	seq events.Seq
	sum Sum
}

// Resume is the chain that was stopped at seq with sum.
func Resume(seq events.Seq, sum Sum) Chain { return Chain{seq, sum} }

// Add takes the next record of the log, its bytes without the line break.
func (c *Chain) Add(record []byte) {
	c.sum = sha256.Linked((*[sha256.Size]byte)(&c.sum), record)
	c.seq++
}

// Seq is how many records the chain covers: the seq of the last one, since those
// of a log are 1, 2, 3 …
func (c *Chain) Seq() events.Seq { return c.seq }

// Sum is the digest up to there; all zero before the first record.
func (c *Chain) Sum() Sum { return c.sum }
