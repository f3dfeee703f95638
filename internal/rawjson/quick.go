package rawjson

// Quick is what [QuickFields] finds. Each set has bit i for the name of number i;
// a name whose value was found is in one of them.
type Quick struct {
	_        [0]func()     // not comparable, which saves a module the code of it
	From, To [MaxNames]int // of the values in Text, without their quotes, and of those in Digits, in offsets into the text

	Text    uint8    // ASCII without escapes, not empty, and of a strict name without DEL
	Digits  uint8    // integers without a sign
	Null    uint8    // null
	Other   uint8    // any other value
	Foreign uint8    // text without escapes, but with bytes above 0x7f
	_       [3]uint8 // the sets are written as one word

	High bool // the text holds bytes above 0x7f
}

// The sets of Quick by their place in the word, in bits.
const (
	quickText   = 0
	quickDigits = 8
	quickNull   = 16
	quickOther  = 24
)

// Value is the value of the name of number i if that is in set, nil otherwise. The
// set is Text, Digits or both.
func (q *Quick) Value(text []byte, set uint8, i int) []byte {
	if set>>i&1 == 0 {
		return nil
	}
	return text[q.From[i]:q.To[i]:q.To[i]]
}
