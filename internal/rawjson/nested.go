package rawjson

// nested is the end of the array or object that opens at i.
func (w *Walker) nested(i int) int {
	var b brackets
	for i >= 0 {
		switch c := at(w.text, i); c {
		case '{', '[':
			if b.depth >= w.limit {
				w.deep = true
				return ^i
			}
			b.open(c)
			if i = space(w.text, i+1); at(w.text, i) != c+2 {
				i = w.element(&b, i)
				continue
			}
		case '"':
			i, _ = w.textEnd(i + 1)
		default:
			i = scalarEnd(w.text, i)
		}
		if i = w.next(&b, i); b.depth == 0 {
			return i
		}
	}
	return i
}

// next goes from the end of a value to the next one in the same or an outer
// array or object, or to the end of the outermost.
func (w *Walker) next(b *brackets, i int) int {
	for i >= 0 && b.depth > 0 {
		i = space(w.text, i)
		switch at(w.text, i) {
		case ',':
			return w.element(b, space(w.text, i+1))
		case b.closer():
			b.close()
			i++
		default:
			return ^i
		}
	}
	return i
}

// element goes to the value of the element at i: in an object, past its name.
func (w *Walker) element(b *brackets, i int) int {
	if !b.inObject() {
		return i
	}
	return w.nameEnd(i)
}

// nameEnd goes past the member name at i and its colon.
func (w *Walker) nameEnd(i int) int {
	if at(w.text, i) != '"' {
		return ^i
	}
	if i, _ = w.textEnd(i + 1); i < 0 {
		return i
	}
	if i = space(w.text, i); at(w.text, i) != ':' {
		return ^i
	}
	return space(w.text, i+1)
}

// brackets remembers what kind each open bracket is, in one bit: 1 for an
// object. Nesting costs no stack and, up to 512 levels, no allocation.
type brackets struct {
	depth int
	kinds uint64    // of the innermost levels, the newest at bit 0
	outer [8]uint64 // of the outer levels, 64 each
	more  []uint64  // the same beyond 512 levels
}

func (b *brackets) open(c byte) {
	if b.depth > 0 && b.depth&63 == 0 {
		b.save(b.depth>>6 - 1)
	}
	b.depth++
	b.kinds = b.kinds<<1 | uint64(c)>>5&1
}

func (b *brackets) save(block int) {
	if block < len(b.outer) {
		b.outer[block] = b.kinds
		return
	}
	b.more = append(b.more[:block-len(b.outer)], b.kinds)
}

func (b *brackets) close() {
	b.depth--
	b.kinds >>= 1
	if b.depth > 0 && b.depth&63 == 0 {
		b.restore(b.depth>>6 - 1)
	}
}

func (b *brackets) restore(block int) {
	if block < len(b.outer) {
		b.kinds = b.outer[block]
		return
	}
	b.kinds = b.more[block-len(b.outer)]
}

func (b *brackets) inObject() bool { return b.kinds&1 != 0 }

// closer is the bracket that ends the innermost level: ']' or '}'.
func (b *brackets) closer() byte { return ']' + byte(b.kinds&1)<<5 }
