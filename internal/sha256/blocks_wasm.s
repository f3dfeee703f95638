#include "textflag.h"

// blocks in the structured code of WebAssembly, where the eight words of the state
// are locals through all 64 rounds. Compiled Go does the same rounds at a third of
// the speed, and crypto/sha256 at far less.
//
// The locals:
//	R0 … R7  the words a … h, turned by one place each round instead of being moved
//	R8       where the block starts, an address
//	R9       the end of the text, an address
//	R10      the ring of the last 16 words of the schedule, an address
//	R11      the state, an address
//	R12      the word of the round, then the first sum of it
//	R13      a word that was just read
//
// A local has 64 bits and holds 32; what does not fit is cut off when it is read.

#define WORD(r) Get r; I32WrapI64
#define KEEP(r) I64ExtendI32U; Set r
#define ROTR(r, n) WORD(r); I32Const $n; I32Rotr
#define SHR(r, n) WORD(r); I32Const $n; I32ShrU
#define RING(at) WORD(R10); I32Load $at

// FIRST makes word i of the schedule: that of the block, its bytes turned around.
#define FIRST(at) \
	WORD(R8); I32Load $at; KEEP(R13); \
	WORD(R10); \
	ROTR(R13, 24); I32Const $0x00ff00ff; I32And; \
	ROTR(R13, 8); I32Const $-0xff0100; I32And; I32Or; \
	I64ExtendI32U; Tee R12; I32WrapI64; I32Store $at

// NEXT makes any later word, of those 16, 15, 7 and 2 before it, in the place of
// the first of these.
#define NEXT(at, from15, from7, from2) \
	RING(from15); KEEP(R13); \
	ROTR(R13, 7); ROTR(R13, 18); I32Xor; SHR(R13, 3); I32Xor; KEEP(R12); \
	RING(from2); KEEP(R13); \
	WORD(R10); \
	ROTR(R13, 17); ROTR(R13, 19); I32Xor; SHR(R13, 10); I32Xor; \
	WORD(R12); I32Add; RING(at); I32Add; RING(from7); I32Add; \
	I64ExtendI32U; Tee R12; I32WrapI64; I32Store $at

#define ROUND(a, b, c, d, e, f, g, h, k) \
	ROTR(e, 6); ROTR(e, 11); I32Xor; ROTR(e, 25); I32Xor; \
	WORD(f); WORD(g); I32Xor; WORD(e); I32And; WORD(g); I32Xor; I32Add; \
	WORD(h); I32Add; WORD(R12); I32Add; I32Const $k; I32Add; KEEP(R12); \
	WORD(d); WORD(R12); I32Add; KEEP(d); \
	ROTR(a, 2); ROTR(a, 13); I32Xor; ROTR(a, 22); I32Xor; \
	WORD(a); WORD(b); I32Or; WORD(c); I32And; WORD(a); WORD(b); I32And; I32Or; I32Add; \
	WORD(R12); I32Add; KEEP(h)

#define LOAD(r, at) WORD(R11); I32Load $at; KEEP(r)
#define SUM(r, at) WORD(R11); WORD(R11); I32Load $at; WORD(r); I32Add; I64ExtendI32U; Tee r; I32WrapI64; I32Store $at

// func blocks(state *[8]uint32, ring *[16]uint32, text []byte)
TEXT ·blocks(SB), NOSPLIT, $0-40
	I64Load state+0(FP)
	Set R11
	I64Load ring+8(FP)
	Set R10
	I64Load text_base+16(FP)
	Tee R8
	I64Load text_len+24(FP)
	I64Add
	Set R9
	LOAD(R0, 0)
	LOAD(R1, 4)
	LOAD(R2, 8)
	LOAD(R3, 12)
	LOAD(R4, 16)
	LOAD(R5, 20)
	LOAD(R6, 24)
	LOAD(R7, 28)
	Loop
	Get R8
	Get R9
	I64LtU
	If
	FIRST(0)
	ROUND(R0, R1, R2, R3, R4, R5, R6, R7, 0x428a2f98)
	FIRST(4)
	ROUND(R7, R0, R1, R2, R3, R4, R5, R6, 0x71374491)
	FIRST(8)
	ROUND(R6, R7, R0, R1, R2, R3, R4, R5, -0x4a3f0431)
	FIRST(12)
	ROUND(R5, R6, R7, R0, R1, R2, R3, R4, -0x164a245b)
	FIRST(16)
	ROUND(R4, R5, R6, R7, R0, R1, R2, R3, 0x3956c25b)
	FIRST(20)
	ROUND(R3, R4, R5, R6, R7, R0, R1, R2, 0x59f111f1)
	FIRST(24)
	ROUND(R2, R3, R4, R5, R6, R7, R0, R1, -0x6dc07d5c)
	FIRST(28)
	ROUND(R1, R2, R3, R4, R5, R6, R7, R0, -0x54e3a12b)
	FIRST(32)
	ROUND(R0, R1, R2, R3, R4, R5, R6, R7, -0x27f85568)
	FIRST(36)
	ROUND(R7, R0, R1, R2, R3, R4, R5, R6, 0x12835b01)
	FIRST(40)
	ROUND(R6, R7, R0, R1, R2, R3, R4, R5, 0x243185be)
	FIRST(44)
	ROUND(R5, R6, R7, R0, R1, R2, R3, R4, 0x550c7dc3)
	FIRST(48)
	ROUND(R4, R5, R6, R7, R0, R1, R2, R3, 0x72be5d74)
	FIRST(52)
	ROUND(R3, R4, R5, R6, R7, R0, R1, R2, -0x7f214e02)
	FIRST(56)
	ROUND(R2, R3, R4, R5, R6, R7, R0, R1, -0x6423f959)
	FIRST(60)
	ROUND(R1, R2, R3, R4, R5, R6, R7, R0, -0x3e640e8c)
	NEXT(0, 4, 36, 56)
	ROUND(R0, R1, R2, R3, R4, R5, R6, R7, -0x1b64963f)
	NEXT(4, 8, 40, 60)
	ROUND(R7, R0, R1, R2, R3, R4, R5, R6, -0x1041b87a)
	NEXT(8, 12, 44, 0)
	ROUND(R6, R7, R0, R1, R2, R3, R4, R5, 0x0fc19dc6)
	NEXT(12, 16, 48, 4)
	ROUND(R5, R6, R7, R0, R1, R2, R3, R4, 0x240ca1cc)
	NEXT(16, 20, 52, 8)
	ROUND(R4, R5, R6, R7, R0, R1, R2, R3, 0x2de92c6f)
	NEXT(20, 24, 56, 12)
	ROUND(R3, R4, R5, R6, R7, R0, R1, R2, 0x4a7484aa)
	NEXT(24, 28, 60, 16)
	ROUND(R2, R3, R4, R5, R6, R7, R0, R1, 0x5cb0a9dc)
	NEXT(28, 32, 0, 20)
	ROUND(R1, R2, R3, R4, R5, R6, R7, R0, 0x76f988da)
	NEXT(32, 36, 4, 24)
	ROUND(R0, R1, R2, R3, R4, R5, R6, R7, -0x67c1aeae)
	NEXT(36, 40, 8, 28)
	ROUND(R7, R0, R1, R2, R3, R4, R5, R6, -0x57ce3993)
	NEXT(40, 44, 12, 32)
	ROUND(R6, R7, R0, R1, R2, R3, R4, R5, -0x4ffcd838)
	NEXT(44, 48, 16, 36)
	ROUND(R5, R6, R7, R0, R1, R2, R3, R4, -0x40a68039)
	NEXT(48, 52, 20, 40)
	ROUND(R4, R5, R6, R7, R0, R1, R2, R3, -0x391ff40d)
	NEXT(52, 56, 24, 44)
	ROUND(R3, R4, R5, R6, R7, R0, R1, R2, -0x2a586eb9)
	NEXT(56, 60, 28, 48)
	ROUND(R2, R3, R4, R5, R6, R7, R0, R1, 0x06ca6351)
	NEXT(60, 0, 32, 52)
	ROUND(R1, R2, R3, R4, R5, R6, R7, R0, 0x14292967)
	NEXT(0, 4, 36, 56)
	ROUND(R0, R1, R2, R3, R4, R5, R6, R7, 0x27b70a85)
	NEXT(4, 8, 40, 60)
	ROUND(R7, R0, R1, R2, R3, R4, R5, R6, 0x2e1b2138)
	NEXT(8, 12, 44, 0)
	ROUND(R6, R7, R0, R1, R2, R3, R4, R5, 0x4d2c6dfc)
	NEXT(12, 16, 48, 4)
	ROUND(R5, R6, R7, R0, R1, R2, R3, R4, 0x53380d13)
	NEXT(16, 20, 52, 8)
	ROUND(R4, R5, R6, R7, R0, R1, R2, R3, 0x650a7354)
	NEXT(20, 24, 56, 12)
	ROUND(R3, R4, R5, R6, R7, R0, R1, R2, 0x766a0abb)
	NEXT(24, 28, 60, 16)
	ROUND(R2, R3, R4, R5, R6, R7, R0, R1, -0x7e3d36d2)
	NEXT(28, 32, 0, 20)
	ROUND(R1, R2, R3, R4, R5, R6, R7, R0, -0x6d8dd37b)
	NEXT(32, 36, 4, 24)
	ROUND(R0, R1, R2, R3, R4, R5, R6, R7, -0x5d40175f)
	NEXT(36, 40, 8, 28)
	ROUND(R7, R0, R1, R2, R3, R4, R5, R6, -0x57e599b5)
	NEXT(40, 44, 12, 32)
	ROUND(R6, R7, R0, R1, R2, R3, R4, R5, -0x3db47490)
	NEXT(44, 48, 16, 36)
	ROUND(R5, R6, R7, R0, R1, R2, R3, R4, -0x3893ae5d)
	NEXT(48, 52, 20, 40)
	ROUND(R4, R5, R6, R7, R0, R1, R2, R3, -0x2e6d17e7)
	NEXT(52, 56, 24, 44)
	ROUND(R3, R4, R5, R6, R7, R0, R1, R2, -0x2966f9dc)
	NEXT(56, 60, 28, 48)
	ROUND(R2, R3, R4, R5, R6, R7, R0, R1, -0x0bf1ca7b)
	NEXT(60, 0, 32, 52)
	ROUND(R1, R2, R3, R4, R5, R6, R7, R0, 0x106aa070)
	NEXT(0, 4, 36, 56)
	ROUND(R0, R1, R2, R3, R4, R5, R6, R7, 0x19a4c116)
	NEXT(4, 8, 40, 60)
	ROUND(R7, R0, R1, R2, R3, R4, R5, R6, 0x1e376c08)
	NEXT(8, 12, 44, 0)
	ROUND(R6, R7, R0, R1, R2, R3, R4, R5, 0x2748774c)
	NEXT(12, 16, 48, 4)
	ROUND(R5, R6, R7, R0, R1, R2, R3, R4, 0x34b0bcb5)
	NEXT(16, 20, 52, 8)
	ROUND(R4, R5, R6, R7, R0, R1, R2, R3, 0x391c0cb3)
	NEXT(20, 24, 56, 12)
	ROUND(R3, R4, R5, R6, R7, R0, R1, R2, 0x4ed8aa4a)
	NEXT(24, 28, 60, 16)
	ROUND(R2, R3, R4, R5, R6, R7, R0, R1, 0x5b9cca4f)
	NEXT(28, 32, 0, 20)
	ROUND(R1, R2, R3, R4, R5, R6, R7, R0, 0x682e6ff3)
	NEXT(32, 36, 4, 24)
	ROUND(R0, R1, R2, R3, R4, R5, R6, R7, 0x748f82ee)
	NEXT(36, 40, 8, 28)
	ROUND(R7, R0, R1, R2, R3, R4, R5, R6, 0x78a5636f)
	NEXT(40, 44, 12, 32)
	ROUND(R6, R7, R0, R1, R2, R3, R4, R5, -0x7b3787ec)
	NEXT(44, 48, 16, 36)
	ROUND(R5, R6, R7, R0, R1, R2, R3, R4, -0x7338fdf8)
	NEXT(48, 52, 20, 40)
	ROUND(R4, R5, R6, R7, R0, R1, R2, R3, -0x6f410006)
	NEXT(52, 56, 24, 44)
	ROUND(R3, R4, R5, R6, R7, R0, R1, R2, -0x5baf9315)
	NEXT(56, 60, 28, 48)
	ROUND(R2, R3, R4, R5, R6, R7, R0, R1, -0x41065c09)
	NEXT(60, 0, 32, 52)
	ROUND(R1, R2, R3, R4, R5, R6, R7, R0, -0x398e870e)
	SUM(R0, 0)
	SUM(R1, 4)
	SUM(R2, 8)
	SUM(R3, 12)
	SUM(R4, 16)
	SUM(R5, 20)
	SUM(R6, 24)
	SUM(R7, 28)
	Get R8
	I64Const $64
	I64Add
	Set R8
	Br $1
	End
	End
	RET
