package abi

import (
	"encoding/binary"
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
	binary.LittleEndian.PutUint16(at[2:], r.lane)
	binary.LittleEndian.PutUint32(at[4:], r.typeNumber)
	binary.LittleEndian.PutUint64(at[8:], math.Float64bits(r.seq))
	binary.LittleEndian.PutUint32(at[16:], address(r.data))
	binary.LittleEndian.PutUint32(at[20:], uint32(len(r.data)))
	binary.LittleEndian.PutUint32(at[24:], r.generation)
	binary.LittleEndian.PutUint32(at[28:], r.session)
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
