package vectors

import "slices"

// kind is one sort of vector: how it is told from others, which keys it may
// have, what it expects and how it is run. One without run is not built.
type kind struct {
	is     func(vector) bool
	keys   shape
	wanted func(vector) ([]any, error)
	run    func(vector) (any, error)
}

// kinds are tried in order; the first that fits is the vector's.
var kinds = []kind{
	{is: named("sse"), keys: sseKeys, wanted: sseWanted, run: runSSE},
	{is: named("json"), keys: jsonKeys, wanted: alternatives, run: runJSON},
	{is: named("resolver"), keys: resolverKeys, wanted: alternatives, run: runResolver},
	{is: named("tracker"), keys: trackerKeys, wanted: trackerWanted, run: runTracker},
	{is: named("pipeline"), keys: pipelineKeys, wanted: alternatives, run: runPipeline},
	{is: named("relay"), keys: relayKeys, wanted: alternatives, run: runRelay},
	{is: named("api")},
	{is: has("records", "query"), keys: parksKeys, wanted: expects("strict_expect", "expect"), run: runParks},
	{is: lists("scope"), keys: listingScopeKeys, wanted: expects("expect"), run: runListingScope},
	{is: lists("entry"), keys: listingEntryKeys, wanted: expects("expect"), run: runListingEntry},
	{is: lists("walk"), keys: listingWalkKeys, wanted: expects("expect"), run: runListingWalk},
	{is: lists("memory"), keys: listingMemoryKeys, wanted: expects("expect"), run: runListingMemory},
	{is: lists("disk"), keys: listingDiskKeys, wanted: expects("expect"), run: runListingDisk},
	{is: has("head", "events"), keys: replayKeys, wanted: expects("strict_expect", "expect"), run: runReplay},
	{is: has("thrown", "strict_expect"), keys: catalogStrictKeys, wanted: expects("strict_expect"), run: runExplain},
	{is: has("thrown", "expect", "expect.facts"), keys: catalogKeys, wanted: expects("expect"), run: runCatalog},
	{is: has("thrown", "expect"), keys: normalKeys, wanted: expects("expect"), run: runNormal},
	{is: has("token", "expect"), keys: tokenKeys, wanted: expects("expect"), run: runToken},
	{is: has("type", "expect"), keys: ephemeralKeys, wanted: expects("expect"), run: runEphemeral},
}

func kindOf(v vector) (*kind, bool) {
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.is(v) })
	if i < 0 {
		return nil, false
	}
	return &kinds[i], true
}

// named fits vectors that name their kind.
func named(kind string) func(vector) bool {
	return func(v vector) bool {
		text, ok := textOf(v["kind"])
		return ok && text == kind
	}
}

// has fits vectors that name no kind and have all these members; "a.b" is a
// member of a member.
func has(names ...string) func(vector) bool {
	return func(v vector) bool {
		return v["kind"] == nil && !slices.ContainsFunc(names, func(n string) bool { return v.at(n) == nil })
	}
}

// expects is an expectation that stands in one member, the first there is.
func expects(names ...string) func(vector) ([]any, error) {
	return func(v vector) ([]any, error) { return oneOf(v, names...) }
}
