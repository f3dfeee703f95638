package seam

// Operations of ask, which the module itself performs: they speak in objects.
const (
	AskReport     = 1 // [Module.Report]
	AskVerified   = 2 // [Module.Verified]
	AskDecision   = 3 // [Module.Decision]
	AskKeys       = 4 // [Module.Keys]
	AskOpenRuns   = 5 // [Module.OpenRuns]
	AskOpenFolder = 6 // [Module.OpenFolder]
	AskPage       = 7 // [Module.Page]
)

// AskNames are the names of these operations, by number; "" for one that is none.
var AskNames = []string{
	AskReport: "report", AskVerified: "verified", AskDecision: "decision", AskKeys: "keys",
	AskOpenRuns: "openRuns", AskOpenFolder: "openFolder", AskPage: "page",
}
