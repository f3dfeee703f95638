package events

// Identifies reports whether a member tells one event of a type from another,
// by its decoded name: one that the event table gives to the type at index
// known, the turn included. Of a type that is not in the table (-1) that is every
// member but those of an envelope.
func Identifies(known int, name []byte) bool {
	if uint(known) >= TypeCount {
		return !inEnvelope(name)
	}
	first := 0
	if known > 0 {
		first = int(identityEnds[known-1])
	}
	for _, n := range identity[first:identityEnds[known]] {
		if memberName(int(n)) == string(name) {
			return true
		}
	}
	return false
}

func inEnvelope(name []byte) bool {
	for n := range wrapNames {
		if memberName(n) == string(name) {
			return true
		}
	}
	return false
}

func memberName(n int) string {
	first := 0
	if n > 0 {
		first = int(memberEnds[n-1])
	}
	return memberNames[first:memberEnds[n]]
}
