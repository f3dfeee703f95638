package abi

import (
	"unsafe"

	"github.com/tidemark-stream/tidemark/pkg/link"
	"github.com/tidemark-stream/tidemark/pkg/relay"
)

// What stands here is for whoever writes the other side of the seam, which is made of
// it ("tidemark gen"). No module links any of it.

// Field is a member of a row: where it lies and how long it is, in bytes.
type Field struct {
	Name         string
	Offset, Size uintptr
}

// Layout is a table in linear memory: how many rows it has, how long each is in bytes,
// and what stands in one.
type Layout struct {
	Rows   int
	Bytes  uintptr
	Fields []Field
}

// OrderTable is the layout of the table that [Relays.Rows] answers.
func OrderTable() Layout {
	var r orderRow
	return Layout{orderCount, unsafe.Sizeof(r), []Field{
		{"kind", unsafe.Offsetof(r.kind), unsafe.Sizeof(r.kind)},
		{"lane", unsafe.Offsetof(r.lane), unsafe.Sizeof(r.lane)},
		{"from", unsafe.Offsetof(r.from), unsafe.Sizeof(r.from)},
		{"to", unsafe.Offsetof(r.to), unsafe.Sizeof(r.to)},
		{"data", unsafe.Offsetof(r.data), unsafe.Sizeof(r.data)},
		{"length", unsafe.Offsetof(r.length), unsafe.Sizeof(r.length)},
	}}
}

// OrderMark is where the mark of that table lies, a float64 behind its rows, in bytes.
const OrderMark = unsafe.Offsetof(orderTable{}.mark)

// ArrivalRoom is how many bytes of a connection [Relays.Feed] takes at once, at most.
const ArrivalRoom = arrivalRoom

// OrderNames are the names of orders, by number: those of a relay, and those that are
// of the seam alone. "" for a number that is none.
func OrderNames() []string {
	names := make([]string, moveOrder+1)
	copy(names, relay.KindNames[:])
	names[moveOrder] = "move"
	return names
}

// RowTable is the layout of the table that [Links.Rows] answers.
func RowTable() Layout {
	var r row
	return Layout{rowCount, unsafe.Sizeof(r), []Field{
		{"kind", 0, headFlags / 8},
		{"flags", headFlags / 8, (headLane - headFlags) / 8},
		{"lane", headLane / 8, unsafe.Sizeof(r.head) - headLane/8},
		{"type", unsafe.Offsetof(r.typeNumber), unsafe.Sizeof(r.typeNumber)},
		{"seq", unsafe.Offsetof(r.seq), unsafe.Sizeof(r.seq)},
		{"data", unsafe.Offsetof(r.data), unsafe.Sizeof(r.data)},
		{"length", unsafe.Offsetof(r.length), unsafe.Sizeof(r.length)},
		{"generation", unsafe.Offsetof(r.generation), unsafe.Sizeof(r.generation)},
		{"session", unsafe.Offsetof(r.session), unsafe.Sizeof(r.session)},
	}}
}

// The first word of a row: a mask of its kind, its flags, and the bits below its lane.
const (
	HeadKind   = 1<<headFlags - 1
	FlagASCII  = flagASCII << headFlags
	FlagPlaced = flagPlaced << headFlags
	FlagDrafts = flagDrafts << headFlags
	HeadLane   = headLane
)

// Numbers of a type that are none of the type table.
const (
	NoType   = noType
	TextBase = textBase
)

// MostLimit is the largest limit that an option can set without a bound of its own: bytes
// of a frame, and as many rows.
const MostLimit = link.MostFrame

// RowNames are the names of rows, by number: those of a link, and those that are of the
// seam alone. "" for a number that is none.
func RowNames() []string {
	names := link.KindNames
	names[kindCounts], names[frameRow] = "counts", "frame"
	return names[:]
}

// InputNames are the names of inputs of a link, by number, as [RowNames]. Bytes have a
// call of their own, and so no number.
func InputNames() []string {
	names := make([]string, inputCounts+1)
	copy(names[1:], link.ConnectionTable().Inputs[1:])
	names[inputCounts] = "counts"
	return names
}
