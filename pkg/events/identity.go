package events

// Identifies reports whether a member tells one event of a type from another,
// by its decoded name: one that the event table gives to the type at index
// known, the turn included. Of a type that is not in the table (-1) that is every
// member but those of an envelope.
func Identifies(known int, name []byte) bool {
	n := memberNumber(name)
	if uint(known) >= TypeCount {
		return n < 0 || n >= wrapNames
	}
	own := identity[:identityEnds[known]]
	if known > 0 {
		own = own[identityEnds[known-1]:]
	}
	for _, m := range own {
		if int(m) == n {
			return true
		}
	}
	return false
}

// memberNumber is the place of a name in the list, -1 when it is not there.
func memberNumber(name []byte) int {
	rest := memberNames
	first := 0
	for n, end := range memberEnds {
		size := int(end) - first
		if rest[:size] == string(name) {
			return n
		}
		rest, first = rest[size:], int(end)
	}
	return -1
}
