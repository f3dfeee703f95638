package demo

// project is what a turn can be about.
type project struct {
	repo     string
	file     string
	code     string // a line of it, where the trouble is
	test     string
	command  string // runs the test
	symptom  string // what the test or the users say, after "it"
	cause    string // a clause: why
	fix      string // what to do, as an imperative
	question string // what only the user can decide
	choice   string // what the user decides
}

var projects = []project{
	{
		repo: "tidepool", file: "internal/clock/timer.go", code: "t.timer.Reset(t.period)",
		test: "TestTimerFiresOnce", command: "go test ./internal/clock -run TestTimerFiresOnce -count=200",
		symptom: "fails about once in forty runs", cause: "the timer is reset while its channel still holds a tick",
		fix: "drain the channel before the reset", question: "Should a missed tick be made up for, or skipped?",
		choice: "Skip it.",
	},
	{
		repo: "harbor-api", file: "src/http/retry.ts", code: "const wait = Number(header);",
		test: "honours Retry-After", command: "npm test -- retry",
		symptom: "hammers the upstream after a 429", cause: "Retry-After is taken for milliseconds",
		fix: "read it as seconds, and clamp it to a minute", question: "May a caller wait longer than the clamp?",
		choice: "Yes, as an option.",
	},
	{
		repo: "ledger", file: "crates/store/src/compact.rs", code: "runs.sort_unstable_by_key(|r| r.level);",
		test: "compaction_keeps_order", command: "cargo test -p store compaction_keeps_order",
		symptom: "returns entries of one account out of order", cause: "runs of the same level are sorted by an unstable sort",
		fix: "sort by level and then by age", question: "Do we rewrite segments that are already out of order?",
		choice: "On their next compaction.",
	},
	{
		repo: "almanac", file: "build/links.py", code: "anchor = title.lower().replace(\" \", \"-\")",
		test: "test_anchor_links", command: "python -m pytest build/test_links.py -q",
		symptom: "sends readers to the wrong heading", cause: "two headings of one page get the same anchor",
		fix: "number repeated anchors in page order", question: "Old anchors are in people's bookmarks. Keep them alive?",
		choice: "Keep them for a year.",
	},
	{
		repo: "kelp", file: "pkg/index/merge.go", code: "if a.doc < b.doc { return a }",
		test: "TestMergeOfEqualDocs", command: "go test ./pkg/index -run TestMerge",
		symptom: "loses a posting when two shards hold the same document", cause: "the merge takes one side and drops the other",
		fix: "join the positions when the documents are equal", question: "Is the order of positions part of the format?",
		choice: "Yes, ascending.",
	},
	{
		repo: "signal-board", file: "app/charts/axis.tsx", code: "const ticks = range / step;",
		test: "axis labels", command: "npm test -- axis",
		symptom: "draws a second zero on narrow screens", cause: "the number of ticks is rounded after the labels are made",
		fix: "round first, then label", question: "Should a flat series show one label or none?",
		choice: "One, in the middle.",
	},
}
