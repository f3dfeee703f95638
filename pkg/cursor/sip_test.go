package cursor

import (
	"encoding/binary"
	"encoding/hex"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
)

// The published vectors of SipHash-2-4-128: the key is 00 01 … 0f, the text the
// first n of 00 01 02 ….
func TestSipHash(t *testing.T) {
	for n, want := range map[int]string{
		0: "a3817f04ba25a8e66df67214c7550293", 1: "da87c1d86b99af44347659119b22fc45", 2: "8177228da4a45dc7fca38bdef60affe4",
		63: "5150d1772f50834a503e069a973fbd7c",
	} {
		text := make([]byte, n)
		for i := range text {
			text[i] = byte(i)
		}
		var h sip
		h.key(0x0706050403020100, 0x0f0e0d0c0b0a0908)
		s := h.text(text)
		require.Equal(t, want, hex.EncodeToString(bytesOf(s)), n)
		slow := plainSip(0x0706050403020100, 0x0f0e0d0c0b0a0908, text)
		require.Equal(t, want, hex.EncodeToString(bytesOf(slow)), n)
	}
}

// hashes of words are those of their bytes.
func TestSipWords(t *testing.T) {
	var h sip
	h.key(sipKey0, sipKey1^'x')
	h.word(1)
	h.word(2)
	h.word(3)
	text := bytesOf(sum{1, 2})
	text = append(text, bytesOf(sum{low: 3})[:8]...)
	require.Equal(t, plainSip(sipKey0, sipKey1^'x', append(text, 'y')), h.text([]byte("y")))
	require.Equal(t, plainSip(sipKey0, sipKey1^'x', append(bytesOf(sum{1, 2}), bytesOf(sum{3, 4})...)), purpose('x').pair(sum{1, 2}, sum{3, 4}))
}

func bytesOf(s sum) []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, s.low), s.high)
}

// plainSip is SipHash-2-4-128 once more, written from its description.
func plainSip(k0, k1 uint64, text []byte) sum {
	v := [4]uint64{k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573}
	v[1] ^= 0xee
	round := func() {
		v[0] += v[1]
		v[1] = bits.RotateLeft64(v[1], 13)
		v[1] ^= v[0]
		v[0] = bits.RotateLeft64(v[0], 32)
		v[2] += v[3]
		v[3] = bits.RotateLeft64(v[3], 16)
		v[3] ^= v[2]
		v[0] += v[3]
		v[3] = bits.RotateLeft64(v[3], 21)
		v[3] ^= v[0]
		v[2] += v[1]
		v[1] = bits.RotateLeft64(v[1], 17)
		v[1] ^= v[2]
		v[2] = bits.RotateLeft64(v[2], 32)
	}
	padded := append([]byte(nil), text...)
	for len(padded)%8 != 7 {
		padded = append(padded, 0)
	}
	padded = append(padded, byte(len(text)))
	for i := 0; i < len(padded); i += 8 {
		m := binary.LittleEndian.Uint64(padded[i:])
		v[3] ^= m
		round()
		round()
		v[0] ^= m
	}
	v[2] ^= 0xee
	for range 4 {
		round()
	}
	low := v[0] ^ v[1] ^ v[2] ^ v[3]
	v[1] ^= 0xdd
	for range 4 {
		round()
	}
	return sum{low, v[0] ^ v[1] ^ v[2] ^ v[3]}
}
