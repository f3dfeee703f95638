#include "go_asm.h"
#include "textflag.h"

// QuickFields in the structured loops of WebAssembly. Compiled Go turns every
// loop and every branch into a jump through a table of all blocks, with most
// variables in memory; here they are locals, and a loop is a loop.
//
// The walk reads words, so it looks at bytes behind the end of the text. It never
// judges by them: it has an answer only when it does not end behind the text.
// Every loop checks that it is still inside, so that it comes less than 256 bytes
// too far, and the text has to end that much before the memory does.
//
// The locals:
//	R0  where the walk is, an address
//	R1  the end of the text, an address
//	R2  open brackets: a bit each, 1 for an object, the newest lowest, and a 1 above all
//	R3  the number + 1 of the wanted name whose value is passed, 0 for none
//	R4  where that value starts
//	R5  the numbers of the names that were found, a bit each
//	R6  1 when a string holds a byte above 0x7f
//	R10 a byte that was just read, mostly that at R0
//	R11 1 while the string is a name; in a number 0 before, 1 behind the point, 2 behind the e
//	R12 the form of the value, as the place of its set in R14
//	R14 the sets of Quick, a byte each
//	R7, R8, R9, R13 hold words, marks, places and lengths for a few lines

#define ONES $0x0101010101010101
#define HIGH $0x8080808080808080

// The one word of an object that is not nested: a bit for it, one above it.
#define OUTERMOST 3

// What R12 says besides the sets of Quick: text with bytes above 0x7f.
#define FOREIGN 32

#define BYTE(r, n) Get r; I32WrapI64; I64Load8U $n
#define WORD(r, n) Get r; I32WrapI64; I64Load $n
#define LET(r, n) I64Const $n; Set r
#define ADD(r, n) Get r; I64Const $n; I64Add; Set r
#define IS(n) I64Const $n; I64Eq
#define NOT(n) I64Const $n; I64Ne

// INSIDE gives up behind the end of the text.
#define INSIDE(unsure) Get R0; Get R1; I64GeU; BrIf unsure

// STOPS marks, in the high bit, each byte of w that is a quote, a backslash, a
// control character or above 0x7f. (Control characters and the quote are those
// below 0x21 once their bit 1 is flipped.) Others are only marked above a right
// mark, so the lowest of all marks is right.
#define STOPS(w) \
	Get w; I64Const $0x0202020202020202; I64Xor; I64Const $0x2121212121212121; I64Sub; \
	Get w; I64Const $0x5c5c5c5c5c5c5c5c; I64Xor; I64Const ONES; I64Sub; I64Or; \
	Get w; I64Or; I64Const HIGH; I64And

// STOPLESS is whether nothing stops in two words: neither where R9 has the marks
// of the first, nor in the second, R8, whose marks it leaves in marks.
#define STOPLESS(marks) STOPS(R8); Tee marks; Get R9; I64Or; I64Eqz

// FIRST is how many bytes are before the lowest mark.
#define FIRST(marks) Get marks; I64Ctz; I64Const $3; I64ShrU

// NEAREST is how many bytes are before the lowest mark of two words, the first of
// which has its marks in R9; one of them has some.
#define NEAREST(marks) \
	FIRST(R9); FIRST(marks); I64Const $8; I64Add; \
	Get R9; I64Eqz; I32Eqz; Select

// PLAIN goes to the first byte, here or further on, that is not plain text.
#define PLAIN(unsure) \
	Loop; \
	WORD(R0, 0); Set R7; STOPS(R7); Set R9; \
	WORD(R0, 8); Set R8; STOPLESS(R8); \
	If; \
	ADD(R0, 16); \
	INSIDE(unsure); \
	Br $1; \
	End; \
	End; \
	Get R0; NEAREST(R8); I64Add; Set R0

// SPACE passes blanks and tabs, and leaves the byte behind them in R10. A line
// break ends a line of a stream, so it is never passed.
#define SPACE(unsure) \
	Loop; \
	BYTE(R0, 0); Tee R10; I64Const $0x20; I64LeU; \
	If; \
	INSIDE(unsure); \
	I64Const $0x100000200; Get R10; I64ShrU; I64Const $1; I64And; I64Eqz; BrIf unsure; \
	ADD(R0, 1); \
	Br $1; \
	End; \
	End

// HEX has bit 4 when the byte n behind R0 is a hexadecimal digit.
#define HEX(n) \
	Get R0; I32WrapI64; I32Load8U $n; I32Const $·hexDigit(SB); I32Add; I32Load8U $0

// func QuickFields(text []byte, maxDepth int, names *Names, found *Quick) int
TEXT ·QuickFields(SB), NOSPLIT, $0-56
	I64Load text_base+0(FP)
	Tee R0
	I64Load text_len+8(FP)
	I64Add
	Set R1
	Block // unsure
		Get R1
		I64Const $256
		I64Add
		CurrentMemory
		I64ExtendI32U
		I64Const $16
		I64Shl
		I64GtU
		BrIf $0 // unsure
		INSIDE($0) // unsure
		BYTE(R0, 0)
		NOT('{')
		BrIf $0 // unsure
		LET(R2, OUTERMOST)
		ADD(R0, 1)
		SPACE($2) // unsure
		Block // done
			Get R10
			IS('}')
			If // an empty object
				ADD(R0, 1)
				Br $1 // done
			End
			Loop // next: a name in an object, a value in an array
				INSIDE($2) // unsure
				Get R2
				I64Const $1
				I64And
				Set R11
				Block // behind
					Block // other
						Block // nested
							Get R2
							NOT(OUTERMOST)
							BrIf $0 // nested
							// A member of the object itself: is its name wanted?
							LET(R3, 0)
							Get R10
							NOT('"')
							BrIf $5 // unsure
							WORD(R0, 1)
							Set R7
							WORD(R0, 9)
							Set R8
							STOPS(R7)
							Set R9
							STOPLESS(R13)
							If // a long name: no wanted one, unless one of those is long
								I64Load names+32(FP)
								I32WrapI64
								I64Load $Names_longest
								I64Const $16
								I64GeU
								BrIf $6 // unsure
								Br $1 // nested
							End
							NEAREST(R13)
							Tee R9
							Get R0
							I64Add
							Set R0
							BYTE(R0, 1)
							NOT('"')
							BrIf $5 // unsure
							Get R9
							I64Const $2
							I64Shl
							Get R7
							I64Xor
							I64Const $63
							I64And
							I64Load names+32(FP)
							Tee R13
							I64Add
							I32WrapI64
							I64Load8U $Names_slots
							Set R10 // the names that it may be, a bit each
							Loop // candidate
								Get R10
								I64Eqz
								I32Eqz
								If
									Get R10
									I64Ctz
									Tee R3
									I64Const $nameWords__size
									I64Mul
									Get R13
									I64Add
									Set R12
									Get R7
									WORD(R12, Names_words+nameWords_first)
									I64Xor
									WORD(R12, Names_words+nameWords_firstMask)
									I64And
									Get R8
									WORD(R12, Names_words+nameWords_second)
									I64Xor
									WORD(R12, Names_words+nameWords_secondMask)
									I64And
									I64Or
									Get R9
									WORD(R12, Names_words+nameWords_length)
									I64Xor
									I64Or
									I64Eqz
									If
										ADD(R3, 1)
										I64Const $1
										Get R3
										I64Shl
										Tee R9
										Get R5
										I64And
										I64Eqz
										I32Eqz
										BrIf $8 // unsure
										Get R5
										Get R9
										I64Or
										Set R5
									Else
										LET(R3, 0)
										Get R10
										Get R10
										I64Const $1
										I64Sub
										I64And
										Set R10
										Br $2 // candidate
									End
								End
							End
							LET(R11, 0)
							Get R0
							I32WrapI64
							I64Load16U $1
							IS(0x3a22) // a quote and a colon
							If
								ADD(R0, 3)
								Get R0
								Set R4
								BYTE(R0, 0)
								Tee R10
								I64Const $0x20
								I64GtU
								BrIf $1 // nested
							Else
								ADD(R0, 2)
								SPACE($8) // unsure
								Get R10
								NOT(':')
								BrIf $6 // unsure
								ADD(R0, 1)
							End
							SPACE($7) // unsure
							Get R0
							Set R4
						End
						Loop // text
							Get R10
							NOT('"')
							BrIf $1 // other
							ADD(R0, 1)
							PLAIN($7) // unsure
							LET(R12, const_quickText)
							BYTE(R0, 0)
							Tee R10
							NOT('"')
							If
								LET(R12, FOREIGN)
								Loop // special: R10 is what stopped the walk
									INSIDE($7) // unsure
									Block // passed
										Get R10
										IS('\\')
										If
											LET(R12, const_quickOther)
											BYTE(R0, 1)
											Tee R10
											IS('u')
											If
												HEX(2)
												HEX(3)
												I32And
												HEX(4)
												I32And
												HEX(5)
												I32And
												I32Const $0x10
												I32And
												I32Eqz
												BrIf $10 // unsure
												ADD(R0, 6)
												Br $2 // passed
											End
											I32Const $·simple(SB)
											Get R10
											I32WrapI64
											I32Add
											I32Load8U $0
											I32Eqz
											BrIf $9 // unsure
											ADD(R0, 2)
											Br $1 // passed
										End
										Get R10
										I64Const $0x80
										I64LtU
										BrIf $8 // unsure
										LET(R6, 1)
										Loop // foreign: a character beyond ASCII (Unicode, table 3-7)
											Get R0
											I32WrapI64
											I64Load32U $0
											Set R7
											Get R10
											I64Const $0xe0
											I64LtU
											If // of two bytes
												Get R10
												I64Const $0xc2
												I64LtU
												BrIf $10 // unsure
												Get R7
												I64Const $0xc000
												I64And
												NOT(0x8000)
												BrIf $10 // unsure
												ADD(R0, 2)
											Else
												Get R10
												I64Const $0xf0
												I64LtU
												If // of three, by its five highest bits neither too small nor half a pair
													Get R7
													I64Const $0xc0c000
													I64And
													NOT(0x808000)
													BrIf $11 // unsure
													Get R10
													I64Const $0x0f
													I64And
													I64Const $1
													I64Shl
													Get R7
													I64Const $13
													I64ShrU
													I64Const $1
													I64And
													I64Or
													Tee R9
													I64Eqz
													BrIf $11 // unsure
													Get R9
													IS(0x1b)
													BrIf $11 // unsure
													ADD(R0, 3)
												Else // of four, in planes 1 to 16
													Get R7
													I64Const $0xc0c0c000
													I64And
													NOT(0x80808000)
													BrIf $11 // unsure
													Get R10
													I64Const $0x0f
													I64And
													I64Const $2
													I64Shl
													Get R7
													I64Const $12
													I64ShrU
													I64Const $3
													I64And
													I64Or
													I64Const $1
													I64Sub
													I64Const $15
													I64GtU
													BrIf $11 // unsure
													ADD(R0, 4)
												End
											End
											INSIDE($9) // unsure
											BYTE(R0, 0)
											Tee R10
											I64Const $0x80
											I64GeU
											BrIf $0 // foreign
										End
									End
									PLAIN($9) // unsure
									BYTE(R0, 0)
									Tee R10
									NOT('"')
									BrIf $0 // special
								End
							End
							ADD(R0, 1)
							Get R11
							I64Eqz
							BrIf $2 // behind
							SPACE($7) // unsure
							Get R10
							NOT(':')
							BrIf $5 // unsure
							ADD(R0, 1)
							SPACE($7) // unsure
							LET(R11, 0)
							Br $0 // text
						End
					End
					Get R11
					I64Eqz
					I32Eqz
					BrIf $3 // unsure
					Get R10
					I64Const $'0'
					I64Sub
					I64Const $9
					I64LeU
					Get R10
					IS('-')
					I32Or
					If
						LET(R12, const_quickDigits)
						Get R10
						IS('-')
						If
							LET(R12, const_quickOther)
							ADD(R0, 1)
						End
						Loop // part
							Get R0
							Set R13
							Loop // digits
								WORD(R0, 0)
								I64Const $0x3030303030303030
								I64Xor
								Tee R7
								I64Const $0x7f7f7f7f7f7f7f7f
								I64And
								I64Const $0x7676767676767676
								I64Add
								Get R7
								I64Or
								I64Const HIGH
								I64And
								Tee R9
								I64Eqz
								If
									ADD(R0, 8)
									INSIDE($7) // unsure
									Br $1 // digits
								End
							End
							Get R0
							FIRST(R9)
							I64Add
							Tee R0
							Get R13
							I64Sub
							Tee R9
							I64Eqz
							BrIf $5 // unsure
							Get R9
							I64Const $1
							I64GtU
							BYTE(R13, 0)
							IS('0')
							I32And
							Get R11
							I64Eqz
							I32And
							BrIf $5 // unsure
							BYTE(R0, 0)
							Tee R10
							IS(',')
							BrIf $2 // behind
							Get R10
							IS('.')
							If
								Get R11
								I64Eqz
								I32Eqz
								BrIf $6 // unsure
								LET(R12, const_quickOther)
								LET(R11, 1)
								ADD(R0, 1)
								Br $1 // part
							End
							Get R10
							I64Const $0x20
							I64Or
							IS('e')
							If
								Get R11
								IS(2)
								BrIf $6 // unsure
								LET(R12, const_quickOther)
								LET(R11, 2)
								ADD(R0, 1)
								BYTE(R0, 0)
								Tee R10
								IS('+')
								Get R10
								IS('-')
								I32Or
								If
									ADD(R0, 1)
								End
								Br $1 // part
							End
						End
						Br $1 // behind
					End
					Get R10
					I64Const $0x20
					I64Or
					IS('{')
					If // a bracket, of either kind
						Get R2
						I64Const $0
						I64LtS
						BrIf $4 // unsure
						I64Const $62
						I64Load maxDepth+24(FP)
						I64Sub
						Get R2
						I64Clz
						I64GeS
						BrIf $4 // unsure
						Get R2
						I64Const $1
						I64Shl
						Get R10
						I64Const $5
						I64ShrU
						I64Const $1
						I64And
						I64Or
						Set R2
						LET(R12, const_quickOther)
						ADD(R0, 1)
						Get R10
						I64Const $2
						I64Add
						Set R13
						SPACE($6) // unsure
						Get R10
						Get R13
						I64Ne
						BrIf $2 // next
						Br $1 // behind
					End
					Get R0
					I32WrapI64
					I64Load32U $0
					Tee R7
					IS(0x6c6c756e) // null
					If
						LET(R12, const_quickNull)
						ADD(R0, 4)
						Br $1 // behind
					End
					LET(R12, const_quickOther)
					Get R7
					IS(0x65757274) // true
					If
						ADD(R0, 4)
						Br $1 // behind
					End
					Get R7
					IS(0x736c6166) // fals
					BYTE(R0, 4)
					IS('e')
					I32And
					I32Eqz
					BrIf $3 // unsure
					ADD(R0, 5)
				End
				Loop // close: a value ends at R0
					Get R2
					IS(OUTERMOST)
					Get R3
					I64Eqz
					I32Eqz
					I32And
					If
						Get R0
						Set R8
						Get R12
						IS(const_quickText)
						If // text counts without its quotes, and only if it is not empty
							ADD(R4, 1)
							Get R8
							I64Const $1
							I64Sub
							Set R8
							Get R4
							Get R8
							I64Eq
							If
								LET(R12, const_quickOther)
							End
						End
						I64Load names+32(FP)
						I32WrapI64
						I64Load $Names_strict
						Get R3
						I64Const $1
						I64Sub
						I64ShrU
						I64Const $1
						I64And
						Get R12
						IS(const_quickText)
						I64ExtendI32U
						I64And
						I32WrapI64
						If // strict text holds no DEL either
							Get R4
							Set R13
							LET(R9, 0)
							Loop // dels
								WORD(R13, 0)
								I64Const $0x7f7f7f7f7f7f7f7f
								I64Xor
								Tee R7
								I64Const ONES
								I64Sub
								Get R7
								I64Const $-1
								I64Xor
								I64And
								Get R9
								I64Or
								Set R9
								ADD(R13, 8)
								Get R13
								Get R8
								I64LtU
								BrIf $0 // dels
							End
							Get R9
							I64Const HIGH
							I64And
							I64Eqz
							I32Eqz
							If
								LET(R12, const_quickOther)
							End
						End
						Get R14
						I64Const $1
						Get R3
						I64Const $1
						I64Sub
						Tee R3
						Get R12
						I64Add
						I64Shl
						I64Or
						Set R14
						Get R3
						I64Const $3
						I64Shl
						I64Load found+40(FP)
						I64Add
						Tee R7
						I32WrapI64
						Get R4
						I64Load text_base+0(FP)
						Tee R9
						I64Sub
						I64Store $Quick_From
						Get R7
						I32WrapI64
						Get R8
						Get R9
						I64Sub
						I64Store $Quick_To
						LET(R3, 0)
					End
					BYTE(R0, 0)
					Tee R10
					IS(',')
					If
						ADD(R0, 1)
						SPACE($6) // unsure
						Br $2 // next
					End
					Get R10
					Get R2
					I64Const $1
					I64And
					I64Const $5
					I64Shl
					I64Const $']'
					I64Add
					I64Eq
					If
						ADD(R0, 1)
						LET(R12, const_quickOther)
						Get R2
						I64Const $1
						I64ShrU
						Tee R2
						IS(1)
						BrIf $3 // done
						Br $1 // close
					End
					Get R10
					I64Const $0x20
					I64GtU
					BrIf $3 // unsure
					SPACE($5) // unsure
					Br $0 // close
				End
			End
		End
		Get R0
		Get R1
		I64GtU
		BrIf $0 // unsure
		I64Load found+40(FP)
		Tee R7
		I32WrapI64
		Get R14
		I64Store $Quick_Text
		Get R7
		I32WrapI64
		Get R6
		I64Store8 $Quick_High
		Get SP
		Get R0
		I64Load text_base+0(FP)
		I64Sub
		I64Store ret+48(FP)
		RET
	End
	Get SP
	I64Const $0
	I64Store ret+48(FP)
	RET
