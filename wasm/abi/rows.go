package abi

import (
	"math"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// The row table, see docs/seam.md.
const (
	rowSize  = 32
	rowCount = 1024

	flagASCII = 1
	flagOurs  = 2 // data is JSON of ours, not an event's text

	noType   = math.MaxUint32
	textBase = 1 << 16 // type numbers from here on are text ids
)

// row is one entry, before it is written down.
type row struct {
	kind       link.Kind
	flags      uint8
	lane       uint16
	typeNumber uint32
	seq        float64
	data       []byte
	generation uint32
	session    uint32
}

func (r *row) put(at []byte) {
	_ = at[rowSize-1]
	at[0], at[1] = byte(r.kind), r.flags
	putUint16(at[2:], r.lane)
	putUint32(at[4:], r.typeNumber)
	bits := math.Float64bits(r.seq)
	putUint32(at[8:], uint32(bits))
	putUint32(at[12:], uint32(bits>>32))
	putUint32(at[16:], address(r.data))
	putUint32(at[20:], uint32(len(r.data)))
	putUint32(at[24:], r.generation)
	putUint32(at[28:], r.session)
}

// The package encoding/binary would bring reflect into the module.

func putUint16(b []byte, n uint16) { b[0], b[1] = byte(n), byte(n>>8) }

func putUint32(b []byte, n uint32) {
	_ = b[3]
	b[0], b[1], b[2], b[3] = byte(n), byte(n>>8), byte(n>>16), byte(n>>24)
}

// wireSeq is the number a row shows; -1 for none.
func wireSeq(seq, base events.Seq) float64 {
	if seq == 0 {
		return -1
	}
	return float64(cursor.ToWire(seq, base))
}

// position is wireSeq where 0 is a place: before the first event.
func position(seq, base events.Seq) float64 {
	return float64(seq) - float64(1-base)
}
