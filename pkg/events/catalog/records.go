package catalog

import "github.com/tidemark-stream/tidemark/pkg/events"

// RecordType is a type that stands in a log and is never sent live. Events of
// class log are record types too, under their own name.
type RecordType struct {
	Name    string
	Turn    events.TurnRule
	Open    bool   // parts of the record are not settled by the contract
	Spread  string // an opaque value whose members stand in the record itself, "" for none
	Meaning string
	Fields  []Field
}

// Records are the types that only a log has.
var Records = []RecordType{
	{Name: "session_started", Turn: anytime, Open: true,
		Meaning: "The first record of a log. The lineage of an event follows from the parent that it names.",
		Fields:  []Field{may("parent", "opaque:SessionParent")}},
	{Name: "message", Turn: anytime, Open: true,
		Meaning: "A message of the conversation.",
		Fields: []Field{
			need("messageId", "id:Message"),
			need("content", "opaque:Message", "the message as a whole, unless it was spilled"),
			may("spill", "opaque:SpillRef", "the body lies outside the log, as JSON text"),
		}},
	{Name: "message_replaced", Turn: anytime, Open: true,
		Meaning: "From here on a message reads differently. Stands before turn_completed when the answer was overridden.",
		Fields: []Field{
			need("targetMessageId", "id:Message"),
			need("content", "opaque:Message"),
			may("spill", "opaque:SpillRef"),
		}},
	{Name: "compaction", Turn: anytime, Open: true,
		Meaning: "What the context is after a compaction: a summary, then the messages that stay.",
		Fields: []Field{
			need("summary", "opaque:CompactionSummary"),
			need("keptMessageIds", "list<id:Message>"),
		}},
	{Name: "checkpoint_written", Turn: inTurn, Open: true, Spread: "CheckpointReceipt",
		Meaning: "Makes a checkpoint document count. The members of the store's receipt stand in the record itself.",
		Fields:  []Field{need("checkpointId", "id:Checkpoint")}},
	{Name: "checkpoint_pruned", Turn: inTurn,
		Meaning: "The checkpoints that a prune took away.",
		Fields:  []Field{need("checkpointIds", "list<id:Checkpoint>", "at least one")}},
	{Name: "decision_requested", Turn: inTurn,
		Meaning: "A turn is parked until a human decides.",
		Fields: []Field{
			need("decisionId", "string", "the checkpoint id, when the checkpoint store wrote it"),
			need("checkpointId", "id:Checkpoint"),
			need("request", "opaque:HITLDecisionRequest", "has a type of its own, in its member type"),
			may("deadlineAt", "string", "date-time text"),
		}},
	{Name: "decision_resolved", Turn: inTurn,
		Meaning: "The decision has been made.",
		Fields: []Field{
			need("decisionId", "string"),
			need("decision", "opaque:HITLResumeDecision"),
			need("resolvedBy", "shape:ResolvedBy"),
		}},
	{Name: "decision_expired", Turn: inTurn,
		Meaning: "Nobody decided in time. The request stays in the log.",
		Fields:  []Field{need("decisionId", "string")}},
}
