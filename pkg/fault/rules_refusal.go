package fault

// refusalRules has one row for each reason and each detail of a refusal, by number.
var refusalRules = []Rule{
	{
		ID: CursorAhead, Name: "stream.cursor_ahead", Side: SideLog, Code: CodeStorageError,
		Message: "The cursor stands beyond the end of the log, so the log has lost events that this consumer already holds.",
		Hint:    "Rebuild the view from a snapshot. Then find out where the tail of the log went: it was emptied, restored from an older copy, or is not the log that the cursor came from.",
	},
	{
		ID: GenerationChanged, Name: "stream.generation_changed", Side: SideLog, Code: CodeStorageError,
		Message: "Another writer has taken the log over since this cursor was made, so its numbers no longer mean the same events.",
		Hint:    "Drop the cursor together with the view and rebuild both from a snapshot. After a planned takeover, such as a deploy, nothing else is needed.",
	},
	{
		ID: EventGeneration, Name: "stream.generation_changed.event_generation", Side: SideLog, Code: CodeStorageError,
		Message: "An event carries a generation that contradicts the cursor, the head or the events before it.",
		Hint:    "Rebuild from a snapshot. A takeover in the middle of a read does this once; when it keeps happening, two writers append to one log and their leases need a look.",
	},
	{
		ID: StaleGeneration, Name: "stream.generation_changed.stale_generation", Side: SideLog, Code: CodeStorageError,
		Message: "A recorded event of an older generation arrived after the log had moved on to a newer one.",
		Hint:    "Find the writer that lost its lease and still publishes, and stop it. Then rebuild from a snapshot.",
	},
	{
		ID: HistoryChanged, Name: "stream.generation_changed.history_changed", Side: SideLog, Code: CodeStorageError,
		Message: "The event at the cursor is not the one that this consumer received: the log was replaced and has grown past the cursor again.",
		Hint:    "Rebuild from a snapshot, and give the log a generation, so that replacing it shows at once.",
	},
	{
		ID: Gap, Name: "stream.gap", Side: SideLog, Code: CodeStorageError,
		Message: "The answer does not continue where the cursor stands.",
		Hint:    "Rebuild from a snapshot. The evidence names the seq that was expected and the one that came.",
	},
	{
		ID: GapHole, Name: "stream.gap.hole", Side: SideLog, Code: CodeStorageError,
		Message: "At least one event is missing between two events of the answer.",
		Hint:    "Rebuild from a snapshot. Look the expected seq up in the log: either the store has lost it, or something between the store and this consumer leaves it out.",
	},
	{
		ID: GapPruned, Name: "stream.gap.pruned", Side: SideLog, Code: CodeNotFound,
		Message: "The log no longer holds the event that comes after the cursor.",
		Hint:    "Rebuild from a snapshot. When consumers stay away longer than the log reaches back, keep more of it.",
	},
	{
		ID: GapNotAbove, Name: "stream.gap.not_above_cursor", Side: SideServer, Code: CodeStorageError,
		Message: "The answer begins at or before the cursor, not after it.",
		Hint:    "Check that the server reads the cursor and that no cache answers in its place; an answer from the very beginning is the usual sign of either. Then rebuild from a snapshot.",
	},
	{
		ID: GapDuplicate, Name: "stream.gap.duplicate", Side: SideLog, Code: CodeStorageError,
		Message: "The same seq stands twice in the answer.",
		Hint:    "Look for two writers on one log, or for an append that was stored twice after a retry. A lease with a generation rules the first one out. Then rebuild from a snapshot.",
	},
	{
		ID: GapDisorder, Name: "stream.gap.disorder", Side: SideLog, Code: CodeStorageError,
		Message: "The answer falls back to an earlier seq.",
		Hint:    "Answer in the order of appending and never sort. An order that breaks by itself comes from two writers on one log, or from pages that were joined the wrong way round. Then rebuild from a snapshot.",
	},
	{
		ID: GapShort, Name: "stream.gap.short", Side: SideServer, Code: CodeStorageError,
		Message: "The answer ends before the head that was announced for it.",
		Hint:    "Look for a row limit in the store. A page that stops early has to say that more follows. Then rebuild from a snapshot.",
	},
	{
		ID: GapEmpty, Name: "stream.gap.empty", Side: SideServer, Code: CodeStorageError,
		Message: "The answer is empty although the head lies beyond the cursor.",
		Hint:    "Make sure that head and events are read from the same store and the same session. Then rebuild from a snapshot.",
	},
	{
		ID: GapBadEvent, Name: "stream.gap.bad_event", Side: SideLog, Code: CodeStorageError,
		Message: "The answer holds something that is no event, or an event without a place in the log.",
		Hint:    "Read that line of the log, for instance with `tidemark check`: it names the byte and what is wrong there. Repair the writer, then rebuild from a snapshot.",
	},
	{
		ID: GapForeign, Name: "stream.gap.foreign_session", Side: SideServer, Code: CodeStorageError,
		Message: "The answer holds an event of another session.",
		Hint:    "Check the filter of the server before anything else: this may be data that its reader must not see. Then rebuild from a snapshot.",
	},
	{
		ID: GapHTTPStatus, Name: "stream.gap.http_status", Side: SideServer, Code: CodeStorageError,
		Message: "The server turned the cursor down with a status and did not say why.",
		Hint:    "Rebuild from a snapshot. Have the server send a problem+json body whose `code` names the reason, so that the next refusal explains itself.",
	},
	{
		ID: GapWindowExpired, Name: "stream.gap.window_expired", Side: SideServer, Code: CodeNotFound,
		Message: "The server does not replay as far back as the cursor any more.",
		Hint:    "Rebuild from a snapshot. A longer replay window on the server saves consumers that come back late from doing so.",
	},
	{
		ID: GapSnapshot, Name: "stream.gap.snapshot", Side: SideConsumer, Code: CodePluginError,
		Message: "The state that `load` answered stands at a cursor that does not connect to the log.",
		Hint:    "Read state and cursor in one step and from the log itself, when `load` is called. A transcript out of a cache is the usual cause.",
	}, {
		ID: GapUnproven, Name: "stream.gap.unproven", Side: SideServer, Code: CodeStorageError,
		Message: "Nothing shows that the log still holds the event at the cursor, and `proof` is \"require\".",
		Hint:    "Rebuild from a snapshot. Save proofs with their cursors, and have the server keep the last event of whoever is away and begin where it is asked to; or give the log a generation.",
	},
}
