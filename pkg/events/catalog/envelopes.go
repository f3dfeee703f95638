package catalog

// Envelope is a set of members that surround what an event says. They never
// tell types apart, and new ones may be added.
type Envelope struct {
	Name    string
	Meaning string
	Fields  []Field
}

// The envelopes of the contract.
var (
	Session = Envelope{"session", "What a live event of a session may carry besides its own members.", []Field{
		may("seq", "seq", "place in the log of its own session; absent when the event is not recorded"),
		may("generation", "generation", "the fence that the log was written under; a takeover raises it"),
		may("v", "int", "version of the record schema: 1"),
		may("lineage", "opaque:Lineage", "present on a child's event that is shown to a listener of the parent"),
	}}
	Run = Envelope{"run", "The older envelope, keyed by run. Read, never written anew.", []Field{
		need("runId", "id:Run", "takes the place of sessionId"),
		may("schemaVersion", "int", "version of the run schema: 3"),
		may("lineage", "opaque:Lineage"),
		may("seq", "seq", "place in the log of its own run"),
		may("generation", "generation", "the fence of the claim; absent when the run was written without one"),
	}}
	PersistedRun = Envelope{"persisted run", "A run event that comes out of the log: two members more are certain.", []Field{
		need("seq", "seq"),
		need("timestamp", "int", "when it was stored, in milliseconds since 1970"),
	}}
	Record = Envelope{"record", "A line of a session log. An event's own members stand next to these; lineage is left out, since the log's first record names the parent.", []Field{
		need("v", "int", "version of the record schema: 1"),
		need("type", "string"),
		need("seq", "seq"),
		may("gen", "generation", "generation, as a live event calls it"),
		need("ts", "string", "when it was written, as date-time text"),
		need("sessionId", "id:Session"),
		may("turnId", "id:Turn"),
	}}
)

// Renamed is a type name of the run era and what it is called today.
type Renamed struct{ Old, Now string }

// RunNames are the type names that changed. The old ones count only inside the
// run envelope.
var RunNames = []Renamed{
	{"subsession_spawned", "child_session_spawned"},
	{"subsession_messaged", "child_session_messaged"},
	{"subsession_idled", "child_session_idled"},
}

// RunMembers are the member names that changed, apart from runId: a run is one
// turn of work, so that its id stands for the session and the turn at once.
var RunMembers = []Renamed{
	{"schemaVersion", "v"},
	{"timestamp", "ts of a record, as text"},
}

// AbsentSeq lists what a missing seq can mean.
var AbsentSeq = []string{
	"the type is ephemeral and never stored",
	"it is one of the agent_ events, which pass the log by",
	"it belongs to a child session, whose own log has its number",
	"the log could not be written; the event is shown nevertheless, since hiding it would be worse",
}
