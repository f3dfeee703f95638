package typed

// slot ties a member to a field of a struct.
type slot struct {
	name     string
	want     string // what should stand there, in words
	required bool
	load     func(raw []byte) *mismatch
	// store is the value to write; false: the member is absent. raw is the value
	// in the text, nil when there is none, and comes back when nothing changed.
	store func(raw []byte) (value []byte, ok bool, bad *mismatch)
}

// value is store, with the objections that every slot has.
func (s *slot) value(raw []byte) ([]byte, bool, *mismatch) {
	value, ok, bad := s.store(raw)
	switch {
	case bad != nil:
		return nil, false, bad.within(s.name, 0)
	case !ok && s.required:
		return nil, false, (&mismatch{want: s.want, found: nothing}).within(s.name, 0)
	}
	return value, ok, nil
}

// need is a member that always stands there.
func need[T any](name string, v *T, c codec[T]) slot {
	return slot{
		name: name, want: c.want, required: true,
		load: func(raw []byte) (bad *mismatch) {
			*v, bad = c.read(raw)
			return bad
		},
		store: func(raw []byte) ([]byte, bool, *mismatch) { return c.store(raw, *v) },
	}
}

// may is a member that can be absent.
func may[T any](name string, v *Opt[T], c codec[T]) slot {
	return slot{
		name: name, want: c.want,
		load: func(raw []byte) (bad *mismatch) {
			if isNull(raw) {
				*v = Opt[T]{state: null}
				return nil
			}
			*v = Opt[T]{state: set}
			v.value, bad = c.read(raw)
			return bad
		},
		store: func(raw []byte) ([]byte, bool, *mismatch) {
			switch {
			case v.state == set:
				return c.store(raw, v.value)
			case v.state == null && isNull(raw):
				return raw, true, nil
			}
			return nil, false, nil
		},
	}
}

// must is a field that can be absent in some forms of an event and not in this.
func must(s slot) slot {
	load := s.load
	s.required = true
	s.load = func(raw []byte) *mismatch {
		if isNull(raw) {
			return &mismatch{want: s.want, found: foundIn(raw)}
		}
		return load(raw)
	}
	return s
}

// unlessEmpty makes an empty text mean an absent member.
func unlessEmpty[T ~string](s slot, v *T) slot {
	store := s.store
	s.required = false
	s.store = func(raw []byte) ([]byte, bool, *mismatch) {
		if *v == "" {
			return nil, false, nil
		}
		return store(raw)
	}
	return s
}

// fixed is the type of an event whose struct says which type it is.
func fixed(name string) slot {
	return slot{
		name: "type", want: "text", required: true,
		load: func([]byte) *mismatch { return nil },
		store: func(raw []byte) ([]byte, bool, *mismatch) {
			if raw == nil {
				raw = quote(name)
			}
			return raw, true, nil
		},
	}
}
