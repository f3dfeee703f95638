// Package sha256 computes SHA-256 of texts and of chains of texts, at the speed the
// machine has to offer: natively that is crypto/sha256, and in a module rounds of
// our own, since what the toolchain makes of crypto/sha256 for WebAssembly is too
// slow to read logs with and adds some 100 KB.
//
// The calls you need are [Of] and [Linked]. Both are held to crypto/sha256 by the
// tests, for every length around the blocks.
//
// It is no cryptographic library: it hides no timing, and knows this one digest.
package sha256

// Size is the length of a digest in bytes.
const Size = 32

// Of is the digest of a text.
func Of(text []byte) [Size]byte { return sum(nil, text) }

// Linked is the digest of a former digest with a text behind it: the next link of a
// chain.
func Linked(former *[Size]byte, text []byte) [Size]byte { return sum(former[:], text) }
