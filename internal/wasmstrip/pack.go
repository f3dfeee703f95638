package main

import (
	"bytes"
	"encoding/binary"
)

// gap is the run of zeros from which on a new segment costs less than the run. A
// segment's own words take about 9 bytes of the file, but they compress badly and
// every engine reads them one by one, while zeros cost next to nothing.
const gap = 24

var zeros [gap]byte

// pack writes the module again with its initial memory in as few segments as are
// worth it. Memory is zero to begin with, so that what is left out is there, too.
func pack(module, image []byte, section span) []byte {
	var data []byte
	count := 0
	for at := 0; at < len(image); {
		start, end := nextPiece(image, at)
		if start == end {
			break
		}
		data = append(data, 0, opI32Const)
		data = appendSigned(data, start)
		data = append(data, opEnd)
		data = binary.AppendUvarint(data, uint64(end-start))
		data = append(data, image[start:end]...)
		count++
		at = end
	}
	head := binary.AppendUvarint(nil, uint64(count))
	out := append(make([]byte, 0, len(module)), module[:section.start]...)
	out = append(out, dataSection)
	out = binary.AppendUvarint(out, uint64(len(head)+len(data)))
	out = append(append(out, head...), data...)
	return append(out, module[section.end:]...)
}

// nextPiece finds the next bytes that are worth a segment, without zeros at either end.
func nextPiece(image []byte, at int) (start, end int) {
	for at < len(image) && image[at] == 0 {
		at++
	}
	next := bytes.Index(image[at:], zeros[:])
	if next < 0 {
		return at, at + len(bytes.TrimRight(image[at:], "\x00"))
	}
	return at, at + next
}

// appendSigned writes the signed form of the format.
func appendSigned(b []byte, n int) []byte {
	for {
		c := byte(n & 0x7f)
		n >>= 7
		if n == 0 && c&0x40 == 0 || n == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}
