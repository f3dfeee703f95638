package catalog

var people = Group{
	Title:   "Questions and reviews",
	Meaning: "Where a turn asks a human.",
	Events: []Event{
		core("user_question_asked", logged, inTurn, "A tool asks the user something, and the turn waits for it.",
			need("checkpointId", "id:Checkpoint"),
			need("questionId", "string", "the tool-use id of the call that asks"),
			need("question", "string")),
		core("user_question_answered", logged, inTurn, "The question is closed.",
			need("checkpointId", "id:Checkpoint"),
			may("questionId", "string", "absent when it was closed without an answer"),
			need("answered", "bool", "false when the user declined, or nobody answered")),
		core("tool_review_requested", logged, inTurn, "Tool calls wait until a human has looked at them.",
			need("toolCalls", "list<opaque:ToolCallSummary>"),
			need("iteration", "int")),
		core("tool_review_completed", logged, inTurn, "A human has looked at them.",
			need("decision", "enum:ReviewDecision")),
		core("checkpoint_created", logged, inTurn, "There is a new checkpoint.",
			need("checkpointId", "id:Checkpoint"),
			need("iteration", "int")),
	},
}
