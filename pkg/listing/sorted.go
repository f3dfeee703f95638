package listing

import (
	"slices"
	"sort"
)

// chunkSize is how many runs a chunk has before it is cut in two. Inserting moves
// at most so many pointers, and as many chunks as there are.
const chunkSize = 512

// sorted is runs in the order of their keys, each key once. Invariant: the chunks,
// one behind the other, are sorted, and none is empty.
type sorted struct{ chunks [][]*row }

func (s *sorted) empty() bool { return len(s.chunks) == 0 }

// find is the place of the first run that does not stand before a key: its chunk
// and its place there. Behind the last run it is the end of the last chunk.
func (s *sorted) find(k Key) (chunk, at int) {
	if s.empty() {
		return 0, 0
	}
	chunk = sort.Search(len(s.chunks)-1, func(i int) bool {
		c := s.chunks[i]
		return c[len(c)-1].Key().Compare(k) >= 0
	})
	c := s.chunks[chunk]
	return chunk, sort.Search(len(c), func(i int) bool { return c[i].Key().Compare(k) >= 0 })
}

func (s *sorted) insert(r *row) {
	if s.empty() {
		s.chunks = [][]*row{{r}}
		return
	}
	i, at := s.find(r.Key())
	c := slices.Insert(s.chunks[i], at, r)
	if s.chunks[i] = c; len(c) > chunkSize {
		half := len(c) / 2
		s.chunks[i] = c[:half:half]
		s.chunks = slices.Insert(s.chunks, i+1, slices.Clone(c[half:]))
	}
}

// remove takes the run of a key out, which has to be there.
func (s *sorted) remove(k Key) {
	i, at := s.find(k)
	if s.chunks[i] = slices.Delete(s.chunks[i], at, at+1); len(s.chunks[i]) == 0 {
		s.chunks = slices.Delete(s.chunks, i, i+1)
	}
}

// behind shows the runs behind a key, in order, until yield answers false.
func (s *sorted) behind(k Key, yield func(*row) bool) {
	i, at := s.find(k)
	if i < len(s.chunks) && at < len(s.chunks[i]) && s.chunks[i][at].Key() == k {
		at++
	}
	for ; i < len(s.chunks); i, at = i+1, 0 {
		for _, r := range s.chunks[i][at:] {
			if !yield(r) {
				return
			}
		}
	}
}
