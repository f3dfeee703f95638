package rawjson

// QuickFields finds the wanted members of a text that is one object and nothing
// else, as machines write it. When it answers true, that is what the text is, in
// UTF-8, with at most maxDepth levels of arrays and objects inside the object, and
// no wanted name stands there twice. When it answers false, found is worthless, and [Walker.Fields] has to
// say what the text is: it may well be right, but written in a rare way.
//
//go:noescape
func QuickFields(text []byte, maxDepth int, names *Names, found *Quick) bool

// compactFields would not be quick here.
func (w *Walker) compactFields(*Names, *Fields) {}
