package rawjson

// Quickly says whether QuickFields is the quickest way to a text's members here.
const Quickly = true

// QuickFields finds the wanted members of the object that the text begins with,
// if it is written as machines write one, without a line break anywhere. It
// answers the length of the object then: it is valid JSON in UTF-8, with at most
// maxDepth levels of arrays and objects inside, and no wanted name stands there
// twice. When it answers 0, found is worthless, and [Walker.Fields] has to say
// what the text is: it may well be right, but written in a rare way.
//
//go:noescape
func QuickFields(text []byte, maxDepth int, names *Names, found *Quick) int

// compactFields would not be quick here.
func (w *Walker) compactFields(*Names, *Fields) {}
