package abi

import (
	"math"

	"github.com/tidemark-stream/tidemark/pkg/cursor"
	"github.com/tidemark-stream/tidemark/pkg/events"
	"github.com/tidemark-stream/tidemark/pkg/link"
)

// The row table, see docs/seam.md.
const (
	rowCount = 1024

	flagASCII  = 1
	flagOurs   = 2 // data is JSON of ours, not an event's text
	flagPlaced = 4 // of a cursor row: the lane has a position
	flagDrafts = 8 // of a cursor row: ephemeral output is out that a restart would void

	kindCounts  = 19 // the one row that is no action of a link
	inputCounts = 15 // and what asks for it

	headFlags = 8 // bits of a row's head below its flags, which are 8
	headLane  = 16

	noType   = math.MaxUint32
	noLane   = math.MaxUint16
	textBase = 1 << 16 // type numbers from here on are text ids
)

// row is one entry, laid out as the host reads it; see [RowTable]. (wasm is little-endian; the
// native tests read it the same way on little-endian machines.)
type row struct {
	head       uint32 // kind, flags << headFlags, lane << headLane
	typeNumber uint32
	seq        float64
	data       uint32
	length     uint32
	generation uint32
	session    uint32
}

type table [rowCount]row

// clear makes the row one without an event.
func (r *row) clear(k link.Kind, lane int) {
	*r = row{head: uint32(k) | uint32(lane)<<headLane, typeNumber: noType, seq: -1}
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
