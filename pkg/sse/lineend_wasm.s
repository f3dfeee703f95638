#include "textflag.h"

#define LINE_ENDS $0x0e0e0e0e0e0e0e0e
#define HIGH $0x8080808080808080

// LOW marks, in the high bit, the bytes of the word n behind R0 that are below
// 0x0e, as both line ends are and hardly anything else in a text. A byte is marked
// wrongly only above one that is marked rightly.
#define LOW(n) \
	Get R0; I32WrapI64; I64Load $n; Tee R2; I64Const LINE_ENDS; I64Sub; \
	Get R2; I64Const $-1; I64Xor; I64And

// LOW_FAR marks them in all of the next 32 bytes at once: only whether there is
// a mark counts, not where it is.
#define LOW_FAR \
	LOW(0); LOW(8); I64Or; LOW(16); I64Or; LOW(24); I64Or; I64Const HIGH; I64And

#define IS(n) I64Const $n; I64Eq

// ENDS_LINE is whether the byte at the address on the stack ends a line.
#define ENDS_LINE I64Load8U $0; Tee R2; IS('\n'); Get R2; IS('\r'); I32Or

// MORE leaves a loop unless n bytes follow.
#define MORE(n, out) Get R0; I64Const $n; I64Add; Get R1; I64GtU; BrIf out

// func lineEnd(buf []byte, i int) int
//
// The locals: R0 is where the search is and R1 the end of buf, both as addresses.
TEXT ·lineEnd(SB), NOSPLIT, $0-40
	I64Load buf_base+0(FP)
	Tee R0
	I64Load buf_len+8(FP)
	I64Add
	Set R1
	Get R0
	I64Load i+24(FP)
	I64Add
	Set R0
	Block // found
		Loop // search
			Block // near
				Loop // far
					MORE(32, $1) // near
					LOW_FAR
					I64Eqz
					If
						Get R0
						I64Const $32
						I64Add
						Set R0
						Br $1 // far
					End
				End
			End
			Block // last
				Loop // word
					MORE(8, $1) // last
					LOW(0)
					I64Const HIGH
					I64And
					Tee R3
					I64Eqz
					If
						Get R0
						I64Const $8
						I64Add
						Set R0
						Br $1 // word
					End
				End
				Get R0
				Get R3
				I64Ctz
				I64Const $3
				I64ShrU
				I64Add
				Set R0
			End
			MORE(1, $1) // found
			Get R0
			I32WrapI64
			ENDS_LINE
			BrIf $1 // found
			Get R0
			I64Const $1
			I64Add
			Set R0
			Br $0 // search
		End
	End
	Get SP
	Get R0
	I64Load buf_base+0(FP)
	I64Sub
	I64Store ret+32(FP)
	RET

// func linesEnd(buf []byte, i int) int
//
// The same from the end: R0 is where the search is, R1 where it may not go below,
// R5 where the bytes begin that are looked at one by one.
TEXT ·linesEnd(SB), NOSPLIT, $0-40
	I64Load buf_base+0(FP)
	Tee R1
	I64Load buf_len+8(FP)
	I64Add
	Set R0
	Get R1
	I64Load i+24(FP)
	I64Add
	Set R1
	Block // found
		Loop // search
			Get R1
			Set R5
			Block // near
				Loop // far
					Get R0
					Set R4
					Get R0
					I64Const $32
					I64Sub
					Tee R3
					Get R1
					I64LtS
					BrIf $1 // near
					Get R3
					Set R0
					LOW_FAR
					I64Eqz
					BrIf $0 // far
				End
				Get R0
				Set R5
				Get R4
				Set R0
			End
			Loop // byte
				Get R0
				Get R5
				I64GtS
				If
					Get R0
					I64Const $1
					I64Sub
					Tee R0
					I32WrapI64
					ENDS_LINE
					I32Eqz
					BrIf $1 // byte
					Get R0
					I64Const $1
					I64Add
					Set R0
					Br $3 // found
				End
			End
			Get R0
			Get R1
			I64GtS
			BrIf $0 // search
		End
	End
	Get SP
	Get R0
	I64Load buf_base+0(FP)
	I64Sub
	I64Store ret+32(FP)
	RET
