package listing

import "slices"

// Merge makes one page of pages from several stores, all of them answers to the
// same scope and options. A run that two stores hold has the row of the first.
func Merge(scope Scope, o Options, pages ...Page) Page {
	var all Page
	for _, p := range pages {
		all.Entries = append(all.Entries, p.Entries...)
		all.Unreadable = append(all.Unreadable, p.Unreadable...)
		all.Next = max(all.Next, p.Next) // set when rows follow in any of them
	}
	slices.SortStableFunc(all.Unreadable, func(a, b Unreadable) int { return a.Key().Compare(b.Key()) })
	slices.SortStableFunc(all.Entries, func(a, b Entry) int { return a.Key().Compare(b.Key()) })
	all.Entries = slices.CompactFunc(all.Entries, func(a, b Entry) bool { return a.Key() == b.Key() })
	limit := o.limit()
	if len(all.Entries) > limit {
		clear(all.Entries[limit:])
		all.Entries = all.Entries[:limit]
	} else if all.Next == "" || len(all.Entries) == 0 {
		return all
	}
	end := all.Entries[len(all.Entries)-1].Key()
	all.Next = appendToken(scope, end)
	all.Unreadable = slices.DeleteFunc(all.Unreadable, func(u Unreadable) bool { return u.Key().Compare(end) > 0 })
	return all
}
