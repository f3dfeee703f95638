package catalog

// Shape is an object inside an event whose members are part of the contract.
// Like an event it may carry members that are not listed here.
type Shape struct {
	Name    string
	Meaning string
	Fields  []Field
}

// Shapes are the objects that events and records hold.
var Shapes = []Shape{
	{"ToolVia", "The tool through which another tool was called.", []Field{
		need("tool", "string"),
		need("toolUseId", "id:ToolUse"),
		may("runtimeToolCallId", "string", "the request id of the code runtime, when that made the call"),
	}},
	{"PlatformError", "An error in its normal form.", []Field{
		need("code", "string"),
		need("message", "string"),
		may("details", "object<string,any>"),
		need("retryable", "bool"),
	}},
	{"ErrorExplanation", "An error in words for people, from the catalog of faults.", []Field{
		need("id", "string"),
		need("message", "string"),
		need("hint", "string"),
	}},
	{"ChildBatch", "Children that a display shows together.", []Field{
		need("batchId", "string"),
		need("name", "string"),
		may("phase", "string"),
	}},
	{"ResolvedBy", "Who answered a question.", []Field{
		need("kind", "string", "system when the turn answered by itself"),
		need("role", "string", "sys_approval_policy in that case"),
		need("tenantId", "id:Tenant"),
	}},
}

// Enum is text with a list of values. A value that is not on the list is kept
// and is no error: a newer producer may have added it.
type Enum struct {
	Name    string
	Meaning string
	Values  []string
}

// Enums are the lists of values.
var Enums = []Enum{
	{"AdmissionKind", "What moved the account of tool calls.", []string{"initialize", "batch", "nested", "retry"}},
	{"Capability", "What a driver may be unable to do.", []string{"tools", "vision", "documents"}},
	{"CompactionFailure", "Why a compaction was turned down.", []string{"reducer_threw", "shed_nothing", "split_tool_pair"}},
	{"ContentSource", "Where content came from that a driver cannot send.", []string{"tool-result"}},
	{"GuardrailAction", "What a guardrail did.", []string{"block", "rewrite"}},
	{"GuardrailStage", "Where a guardrail stands.", []string{"input", "output"}},
	{"JobStatus", "How a job ended.", []string{"exited", "killed"}},
	{"ReasoningType", "Whether reasoning can be read.", []string{"thinking", "redacted_thinking"}},
	{"RepairSource", "Where a damaged history came from.", []string{"fresh-history", "abandoned-checkpoint", "provider-rejected-image"}},
	{"ReviewDecision", "What a human decided about tool calls.", []string{"approved", "modified", "rejected"}},
	{"ShedReason", "What set a compaction off.", []string{"threshold", "overflow", "manual"}},
	{"TokenMeasure", "Who counted the tokens.", []string{"provider", "estimate"}},
	{"WindowSource", "Who said how large the context window is.", []string{"config", "provider", "model-table", "default"}},
}

// IDKind is a kind of id: text that is compared and never taken apart.
type IDKind struct {
	Name    string
	Prefix  string // how ids of this kind usually begin, "" when that is open; never checked
	Meaning string
}

// IDKinds are the kinds of id. Project, Run and ToolCall stand in no event:
// they name things that events are about, in listings, in the older run
// envelope and inside stored messages.
var IDKinds = []IDKind{
	{"Activity", "", "an activity"},
	{"Checkpoint", "", "a checkpoint"},
	{"Message", "", "a message of the conversation"},
	{"Plan", "", "a plan"},
	{"Plugin", "", "a plugin"},
	{"Project", "", "a project, in listings"},
	{"Run", "", "a run of the older envelope"},
	{"Sandbox", "", "a sandbox"},
	{"Session", "ses_", "a session: what has one log of its own"},
	{"Task", "", "a unit of work"},
	{"Tenant", "", "a tenant"},
	{"ToolCall", "call_", "a call inside a stored message; not the same as ToolUse"},
	{"ToolUse", "", "a call, in the provider's own words; for matching only"},
	{"Turn", "", "a turn"},
}

// Opaque is a value whose inside is no part of the contract: carried as the
// JSON text it is.
type Opaque struct {
	Name    string
	Meaning string
}

// Opaques are the values that are carried and not looked into.
var Opaques = []Opaque{
	{"ActivityStatus", "how far an activity is"},
	{"ActivityType", "what kind of activity it is"},
	{"AssistantTextPart", "a part of an answer, with its text"},
	{"AssistantTextPartMeta", "a part of an answer, without its text"},
	{"BaseAgentResult", "what a delegation brought"},
	{"CancelCause", "who canceled, and why"},
	{"CheckpointReceipt", "what a store answered for a checkpoint document"},
	{"CompactionSummary", "what a compaction put in place of messages"},
	{"CostInfo", "what it cost"},
	{"HITLDecisionRequest", "a question to a human, word for word"},
	{"HITLResumeDecision", "a human's answer"},
	{"HostedTool", "a tool that the provider ran, as its stream shows it"},
	{"Lineage", "where a child's event comes from; its known member is depth, 0 at the root"},
	{"Message", "a message of the conversation"},
	{"MessageStopReason", "why a message ended"},
	{"Origin", "who asked for a turn"},
	{"PlanStep", "a step of a plan"},
	{"PlanStepStatus", "how far a step is"},
	{"PluginHookEvent", "what a hook is called for"},
	{"PluginHookResult", "what a hook answered"},
	{"ProviderErrorInfo", "what the provider said about an error"},
	{"SessionParent", "the session that asked for this one"},
	{"SessionTokenBudgetSummary", "where a token budget stands"},
	{"SpillRef", "where a body is that does not stand in the log"},
	{"StopReason", "why a turn ended"},
	{"SubSessionKind", "what kind of child it is"},
	{"TaskStatus", "how far a unit of work is"},
	{"TokenUsage", "tokens spent"},
	{"ToolCallSummary", "a tool call, shortened for a review"},
	{"ToolResultView", "how to show the result of a tool"},
	{"TurnBudgetBinding", "the token account of a turn"},
	{"TurnConfigSnapshot", "the settings that a turn began with"},
	{"TurnSettlement", "how a turn was closed"},
}
