package main

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// table is Go's table of functions inside a memory image: a header, then the
// names, the files, the tables by program counter, and one record for each
// function.
type table struct {
	image     []byte
	header    int
	functions int
	names     int // where each part begins; it ends where the next one does
	pctab     int
	records   int
}

var (
	// magic, two zeros, instruction size 1, pointer size 8.
	tableMark = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

	errTable = errors.New("the table of functions is not laid out as wasmstrip knows it; " +
		"compare runtime/symtab.go of this toolchain with internal/wasmstrip")
)

// The header in words of 8 bytes, and a function's record in words of 4
// (runtime.pcHeader and runtime._func).
const (
	wordFunctions, wordNames, wordPctab, wordRecords = 1, 4, 7, 8

	fieldName, fieldSP, fieldFile, fieldLine = 1, 4, 5, 6
	fieldTables, fieldUnit, fieldStart       = 7, 8, 9
	fieldFirst                               = 11
)

func findTable(image []byte) (*table, error) {
	at := bytes.Index(image, tableMark)
	if at < 0 || bytes.Contains(image[at+1:], tableMark) || at+72 > len(image) {
		return nil, errTable
	}
	word := func(i int) int { return int(binary.LittleEndian.Uint64(image[at+8*i:])) }
	t := &table{
		image: image, header: at, functions: word(wordFunctions),
		names: at + word(wordNames), pctab: at + word(wordPctab), records: at + word(wordRecords),
	}
	if t.names < at || t.pctab < t.names || t.records < t.pctab || t.records+8*t.functions > len(image) {
		return nil, errTable
	}
	return t, nil
}

// blank zeroes what only stack traces read.
func (t *table) blank() error {
	used := make([]bool, t.records-t.pctab)
	for i := range t.functions {
		if !t.function(i, used) {
			return errTable
		}
	}
	clear(t.image[t.names:t.pctab]) // names, units and files
	for i, u := range used {
		if !u {
			t.image[t.pctab+i] = 0
		}
	}
	return nil
}

// function takes name, file and line from one record, and marks the tables that
// its other fields need.
func (t *table) function(i int, used []bool) bool {
	record := t.records + t.u32(t.records+8*i+4)
	if record < t.records || record+4*fieldFirst > len(t.image) {
		return false
	}
	field := func(n int) int { return record + 4*n }
	ok := t.mark(t.u32(field(fieldSP)), used)
	for k := range t.u32(field(fieldTables)) {
		ok = ok && t.mark(t.u32(field(fieldFirst+k)), used)
	}
	for _, n := range []int{fieldName, fieldFile, fieldLine, fieldUnit, fieldStart} {
		clear(t.image[field(n):field(n+1)])
	}
	return ok
}

// mark walks one table by program counter: pairs of numbers up to a zero. Offset
// 0 stands for no table.
func (t *table) mark(offset int, used []bool) bool {
	if offset == 0 {
		return true
	}
	at := t.pctab + offset
	for first := true; at < t.records; first = false {
		if t.image[at] == 0 && !first {
			at++
			break
		}
		at = t.skipNumber(t.skipNumber(at))
	}
	if offset >= len(used) || at > t.records {
		return false
	}
	for i := offset; i < at-t.pctab; i++ {
		used[i] = true
	}
	return true
}

func (t *table) skipNumber(at int) int {
	for at < t.records && t.image[at]&0x80 != 0 {
		at++
	}
	return at + 1
}

func (t *table) u32(at int) int {
	if at+4 > len(t.image) {
		return 0
	}
	return int(binary.LittleEndian.Uint32(t.image[at:]))
}
