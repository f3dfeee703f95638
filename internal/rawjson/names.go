package rawjson

// MaxNames is how many names a [Names] has room for.
const MaxNames = 8

// Names is a set of member names to look for, numbered from 0 in the order in
// which they are added. Most names of a text are not in it, and most of those are
// told by their length and first byte alone.
type Names struct {
	_       [0]func() // not comparable, which saves a module the code of it
	names   [MaxNames]string
	count   int
	longest int
	strict  uint64    // the numbers of the names whose text may not hold a DEL, a bit each
	slots   [64]uint8 // the numbers of the names that fall there, a bit each
	words   [MaxNames]nameWords
}

// nameWords is a name, or the first 16 bytes of one, as two words, and which of
// their bits count.
type nameWords struct {
	length                               int
	first, firstMask, second, secondMask uint64
}

// equal compares with the name of that length, at most 16, that stands in two
// words, with anything behind it.
func (t *nameWords) equal(length int, first, second uint64) bool {
	return length == t.length && (first^t.first)&t.firstMask|(second^t.second)&t.secondMask == 0
}

// Add adds a name. An empty one takes its number but is never found. It is a
// mistake to add more than [MaxNames].
func (n *Names) Add(name string) {
	i := n.count
	n.names[i] = name
	n.count++
	if name == "" {
		return
	}
	n.longest = max(n.longest, len(name))
	t := &n.words[i]
	t.length = len(name)
	t.first, t.firstMask = wordOf(name, 0)
	t.second, t.secondMask = wordOf(name, 8)
	n.slots[slot(len(name), name[0])] |= 1 << i
}

// Strict makes text with a DEL in it rare for the name of number i, so that whoever
// looks for names hands it to the walker.
func (n *Names) Strict(i int) { n.strict |= 1 << i }

// slot is where a name of this length and first byte falls.
func slot(length int, first byte) int { return (length<<2 ^ int(first)) & 63 }

// wordOf is the word of name that starts at from, and which of its bits count.
func wordOf(name string, from int) (word, mask uint64) {
	for i := from; i < len(name) && i < from+8; i++ {
		word |= uint64(name[i]) << (8 * (i - from))
		mask |= 0xff << (8 * (i - from))
	}
	return word, mask
}

// find is the number of the name that a token spells, -1 for a name that is not
// wanted. The token is known to be a string; a plain one holds no escape.
func (n *Names) find(token []byte, plain bool) int {
	name := token[1 : len(token)-1]
	if !plain {
		return n.findEscaped(token)
	}
	if len(name) == 0 || n.slots[slot(len(name), name[0])] == 0 {
		return -1
	}
	return n.match(name)
}

// findEscaped decodes the token, unless it is longer than any spelling of any
// name: an escape takes at most six bytes for one.
func (n *Names) findEscaped(token []byte) int {
	if len(token)-2 > 6*n.longest {
		return -1
	}
	var room [128]byte
	name, _ := AppendText(room[:0], token)
	return n.match(name)
}

func (n *Names) match(name []byte) int {
	for i, s := range n.names[:n.count] {
		if s != "" && s == string(name) {
			return i
		}
	}
	return -1
}
