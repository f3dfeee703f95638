package sha256

import "encoding/binary"

// block is what the rounds take at once, in bytes.
const block = 64

// initial is the state before the first block.
var initial = [8]uint32{
	0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
}

// blocks adds the blocks of a text, which has no other bytes, to the state. ring is
// room to work in.
//
//go:noescape
func blocks(state *[8]uint32, ring *[16]uint32, text []byte)

// sum is the digest of two texts behind each other, the first one shorter than a
// block.
func sum(head, text []byte) (digest [Size]byte) {
	state, ring := initial, [16]uint32{}
	size := uint64(len(head)+len(text)) * 8
	var last [2 * block]byte
	at := copy(last[:], head)
	if at > 0 {
		n := copy(last[at:block], text)
		if at, text = at+n, text[n:]; at == block {
			blocks(&state, &ring, last[:block])
			at = 0
		}
	}
	if whole := len(text) &^ (block - 1); at == 0 && whole > 0 {
		blocks(&state, &ring, text[:whole])
		text = text[whole:]
	}
	at += copy(last[at:], text)
	clear(last[at:])
	last[at] = 0x80
	end := block
	if at >= block-8 {
		end = 2 * block
	}
	binary.BigEndian.PutUint64(last[end-8:end], size)
	blocks(&state, &ring, last[:end])
	for i, word := range state {
		binary.BigEndian.PutUint32(digest[4*i:], word)
	}
	return digest
}
