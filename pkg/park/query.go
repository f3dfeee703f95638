package park

// Parks are all parks in the order of their requests, the newest last. The list
// belongs to the fold and is good until the next record.
//
//go:noinline
func (f *Fold) Parks() []*Park {
	if f.gone > 0 {
		f.close()
	}
	return f.list
}

// Find is the park of that decision, nil when nothing was asked under it.
func (f *Fold) Find(decisionID string) *Park { return f.known[decisionID] }

// Pending is the newest park that is outstanding at a time, nil when there is none.
// 0 is a time like any other.
func (f *Fold) Pending(now int64) *Park { return f.newest(Outstanding, now) }

func (f *Fold) newest(s State, now int64) *Park {
	for i := len(f.list) - 1; i >= 0; i-- {
		if p := f.list[i]; p != nil && p.State(now) == s {
			return p
		}
	}
	return nil
}

// Expired are the parks that are expired at a time and not settled, oldest first.
func (f *Fold) Expired(now int64) (parks []*Park) {
	for _, p := range f.list {
		if p != nil && p.State(now) == Expired {
			parks = append(parks, p)
		}
	}
	return parks
}

// Summary is the one park that speaks for the log at a time: the newest outstanding
// one, else the newest expired, else the newest resolved; nil when there is none.
func (f *Fold) Summary(now int64) *Park {
	for _, s := range [...]State{Outstanding, Expired, Resolved} {
		if p := f.newest(s, now); p != nil {
			return p
		}
	}
	return nil
}

// Open is the first park of that checkpoint that is not settled, expired or not;
// nil when there is none.
func (f *Fold) Open(checkpointID string) *Park {
	for _, p := range f.list {
		if p != nil && !p.Resolved && p.CheckpointID == checkpointID {
			return p
		}
	}
	return nil
}
