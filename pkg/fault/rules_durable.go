package fault

// durableRules has one row for everything that can be wrong with durable state,
// by number.
var durableRules = []Rule{
	{
		ID: BadDecision, Name: "durable.bad_decision", Side: SideConsumer, Code: CodeInvalidConfig,
		Message: "The answer cannot be read.",
		Hint:    "An answer is an object with an `action`; the actions that this version knows need the members that are named. Nothing was recorded.",
	},
	{
		ID: UnknownDecision, Name: "durable.unknown_decision", Side: SideConsumer, Code: CodeNotFound,
		Message: "Nothing was asked under this decision id.",
		Hint:    "Take the id from a row of the inbox, and send the answer to the session of that row.",
	},
	{
		ID: DecisionAnswered, Name: "durable.decision_answered", Side: SideConsumer, Code: CodeStorageError,
		Message: "The question was answered already; the first answer counts.",
		Hint:    "Show the answer that comes along. Nothing was recorded.",
	},
	{
		ID: DecisionExpired, Name: "durable.decision_expired", Side: SideConsumer, Code: CodeStorageError,
		Message: "The question expired before this answer came.",
		Hint:    "The turn is paused, not refused: resume it, and it will ask again when it still needs to know. Nothing was recorded.",
	},
	{
		ID: StaleDecision, Name: "durable.stale_decision", Side: SideConsumer, Code: CodeStorageError,
		Message: "The question was asked anew since, or the log is another one than the question was read from.",
		Hint:    "Let the inbox catch up and look at the question as it stands now. Nothing was recorded.",
	},
	{
		ID: NotTheWriter, Name: "durable.not_the_writer", Side: SideServer, Code: CodeCapabilityUnavailable, Retryable: true,
		Message: "This server does not write the log of the session.",
		Hint:    "Send the answer again: another server has the lease, or this one is about to get it.",
	},
	{
		ID: BadRequest, Name: "durable.bad_request", Side: SideLog, Code: CodeInvalidConfig,
		Message: "The question cannot be put.",
		Hint:    "A question is an object whose `type` is text that is not empty. Nothing was recorded.",
	},
	{
		ID: AnswerFailed, Name: "durable.answer_failed", Side: SideServer, Code: CodeStorageError, Retryable: true,
		Message: "Whether the answer was recorded is not confirmed.",
		Hint:    "Send it again when it is retryable: the first answer counts, so that nothing is decided twice. `recorded` says whether it may have been recorded.",
	},
	{
		ID: ReadOnly, Name: "durable.read_only", Side: SideServer, Code: CodeCapabilityUnavailable,
		Message: "This server takes no answers: it only reads logs.",
		Hint:    "Send the answer to the server that runs the turn. Nothing was recorded.",
	},
	{
		ID: EmptyLog, Name: "durable.empty_log", Side: SideLog, Code: CodeInvalidConfig,
		Message: "There is nothing in the log that a checkpoint could cover.",
		Hint:    "Record the start of the turn first.",
	},
	{
		ID: UnknownCheckpoint, Name: "durable.unknown_checkpoint", Side: SideConsumer, Code: CodeNotFound,
		Message: "There is no such checkpoint.",
		Hint:    "A document counts from the record on that commits it, and until it is pruned. List the checkpoints of the turn.",
	},
	{
		ID: BadDocument, Name: "durable.bad_document", Side: SideLog, Code: CodeStorageError,
		Message: "The checkpoint document cannot be read.",
		Hint:    "Compare the member that is named with what was expected. A document of a newer version needs a newer Tidemark.",
	},
	{
		ID: DocumentAltered, Name: "durable.document_altered", Side: SideLog, Code: CodeStorageError,
		Message: "The checkpoint document is not the one that was committed.",
		Hint:    "Do not resume from it. Restore the document from a copy, or resume from an older checkpoint.",
	},
	{
		ID: PrefixAltered, Name: "durable.prefix_altered", Side: SideLog, Code: CodeStorageError,
		Message: "The part of the log that the checkpoint covers is not what it was.",
		Hint:    "Do not resume from it. Look for who rewrote the log; `tidemark verify` says which checkpoints still hold.",
	},
	{
		ID: ReceiptAltered, Name: "durable.receipt_altered", Side: SideLog, Code: CodeStorageError,
		Message: "The record that commits the checkpoint does not say what its document says.",
		Hint:    "Do not resume from it. The member that is named differs; the record is part of the log, so look there first.",
	},
	{
		ID: IntentMissing, Name: "durable.intent_missing", Side: SideLog, Code: CodeStorageError,
		Message: "The newest message of the operator, which the checkpoint names, is neither in the context nor in the log.",
		Hint:    "Do not resume from it: the turn would go on without what it was asked for. Look for the message that is named.",
	},
	{
		ID: SpillMissing, Name: "durable.spill_missing", Side: SideLog, Code: CodeStorageError,
		Message: "A body that was stored apart from the log cannot be had.",
		Hint:    "Put back what the reference names. It may have been cleared away while the log still needed it.",
	},
	{
		ID: BadRecord, Name: "durable.bad_record", Side: SideLog, Code: CodeStorageError,
		Message: "A record of the log cannot be taken in, and what follows depends on it.",
		Hint:    "Run `tidemark check` on the log: it names the place.",
	},
	{
		ID: LogTooShort, Name: "durable.log_too_short", Side: SideConsumer, Code: CodeNotFound,
		Message: "The log ends before the record that was asked for.",
		Hint:    "Name a seq that the log has, or hand over all of the log: it may have grown since it was read.",
	},
	{
		ID: ScopeHole, Name: "durable.scope_hole", Side: SideConsumer, Code: CodeInvalidConfig,
		Message: "The scope of a listing skips a level.",
		Hint:    "Name the tenant; with a session, name its project as well.",
	},
	{
		ID: NoAttribution, Name: "durable.no_attribution", Side: SideConsumer, Code: CodeInvalidConfig,
		Message: "The store was not told whose runs its folder holds, so it cannot list them.",
		Hint:    "Open it with tenant, project and session. They stand in no path, and are not guessed.",
	},
	{
		ID: BadPageToken, Name: "durable.bad_page_token", Side: SideConsumer, Code: CodeInvalidConfig,
		Message: "The token of a page cannot be read.",
		Hint:    "Hand over the token of the page before, as it was received, with the same scope; or none, to begin at the first page.",
	},
	{
		ID: CannotList, Name: "durable.cannot_list", Side: SideConsumer, Code: CodeCapabilityUnavailable,
		Message: "The store cannot list what it holds.",
		Hint:    "Use a store that can, or keep a list of your own. An empty page would have said that nothing waits, which nobody knows.",
	},
}
