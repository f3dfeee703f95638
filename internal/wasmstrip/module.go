package main

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// segment is one piece of initial memory: where it stands in the file and where
// it goes.
type segment struct{ address, offset, length int }

// span is where a whole section stands in the file, its header included.
type span struct{ start, end int }

var errModule = errors.New("not a module that Go has linked")

const (
	dataSection = 11
	opI32Const  = 0x41
	opEnd       = 0x0b
)

// dataSegments finds the initial memory of a module, and the section it is in.
func dataSegments(module []byte) ([]segment, span, error) {
	if len(module) < 8 || string(module[:4]) != "\x00asm" {
		return nil, span{}, errModule
	}
	r := reader{buf: module, at: 8}
	for r.at < len(module) {
		start := r.at
		id, length := r.byte(), r.unsigned()
		section := span{start, r.at + length}
		if id == dataSection {
			list, err := r.segments()
			if err == nil && r.at != section.end {
				err = errModule
			}
			return list, section, err
		}
		r.at = section.end
	}
	return nil, span{}, errModule
}

func (r *reader) segments() ([]segment, error) {
	list := make([]segment, 0, 64)
	for range r.unsigned() {
		if r.unsigned() != 0 || r.byte() != opI32Const {
			return nil, fmt.Errorf("%w: a data segment without a constant address", errModule)
		}
		s := segment{address: r.signed()}
		r.byte() // end of the address expression
		s.length = r.unsigned()
		s.offset = r.at
		r.at += s.length
		if s.address < 0 || r.at > len(r.buf) {
			return nil, errModule
		}
		list = append(list, s)
	}
	return list, nil
}

// load lays the segments out as they will stand in memory.
func load(module []byte, segments []segment) []byte {
	size := 0
	for _, s := range segments {
		size = max(size, s.address+s.length)
	}
	image := make([]byte, size)
	for _, s := range segments {
		copy(image[s.address:], module[s.offset:s.offset+s.length])
	}
	return image
}

// reader reads the numbers of the format. Past the end it reads zeros.
type reader struct {
	buf []byte
	at  int
}

func (r *reader) byte() byte {
	if r.at >= len(r.buf) {
		return 0
	}
	r.at++
	return r.buf[r.at-1]
}

func (r *reader) unsigned() int {
	n, width := binary.Uvarint(r.buf[min(r.at, len(r.buf)):])
	r.at += max(width, 1)
	return int(n)
}

func (r *reader) signed() int {
	var n int64
	for shift := 0; shift < 64; shift += 7 {
		b := r.byte()
		n |= int64(b&0x7f) << shift
		if b&0x80 == 0 {
			if b&0x40 != 0 {
				n |= -1 << (shift + 7)
			}
			break
		}
	}
	return int(n)
}
