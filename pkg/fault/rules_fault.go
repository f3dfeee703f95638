package fault

// Texts for a number that this version does not know.
const (
	unknownMessage = "A fault that this version of Tidemark has no text for."
	unknownHint    = "It comes from a newer version: look its number up there, or bring both sides to the same version."
)

// faultRules has one row for everything that is no verdict on the log, by number.
var faultRules = []Rule{
	{
		ID: InvalidCursor, Name: "stream.invalid_cursor", Side: SideConsumer, Code: CodeInvalidConfig,
		Message: "The cursor cannot be read.",
		Hint:    "Hand over the token exactly as it was received: `session:seq`, or `session:seq@generation`. To begin without a cursor, ask for the beginning, or for now.",
	},
	{
		ID: InvalidHead, Name: "stream.invalid_head", Side: SideServer, Code: CodeStorageError,
		Message: "The head of the log cannot be read, so nothing can be judged by it.",
		Hint:    "A head needs the last seq as an integer of at least 0, and a generation only when the log has one. Check what the store answers for this session.",
	},
	{
		ID: ForeignSession, Name: "stream.foreign_session", Side: SideConsumer, Code: CodeInvalidConfig,
		Message: "The cursor belongs to another session than the one asked for.",
		Hint:    "Keep one cursor per session and store it under the id of that session.",
	},
	{
		ID: InvalidOptions, Name: "stream.invalid_options", Side: SideConsumer, Code: CodeInvalidConfig,
		Message: "The options contradict each other, or one of them has no meaning here.",
		Hint:    "Ask for what was expected, in place of what was found.",
	},
	{
		ID: InvalidProfile, Name: "stream.invalid_profile", Side: SideConsumer, Code: CodeInvalidConfig,
		Message: "The profile cannot be read.",
		Hint:    "Name one of `session`, `record` and `run`, or correct the member that is named; base is 0 or 1.",
	},
	{
		ID: BadEvent, Name: "stream.bad_event", Side: SideServer, Code: CodeStorageError,
		Message: "An event is malformed.",
		Hint:    "Correct what writes the event at the place that is named. It is not handed over, and the connection is made again once to see whether it comes a second time.",
	},
	{
		ID: IDMismatch, Name: "stream.id_mismatch", Side: SideServer, Code: CodeStorageError,
		Message: "The SSE id of an event contradicts the position in its payload.",
		Hint:    "Write the id from the event itself, right when it is sent. A proxy that numbers messages anew does this as well.",
	},
	{
		ID: Unattributed, Name: "stream.unattributed", Side: SideServer, Code: CodeStorageError,
		Message: "Data arrived that belongs to none of the sessions on this stream.",
		Hint:    "With more than one session on a stream, every event has to name its own.",
	},
	{
		ID: FrameTooLarge, Name: "stream.frame_too_large", Side: SideServer, Code: CodeCapabilityUnavailable,
		Message: "One frame is larger than the limit.",
		Hint:    "Keep large results out of events and refer to them, or raise the limit where the memory is there. Data without line ends looks like this too.",
	},
	{
		ID: BadControl, Name: "stream.bad_control", Side: SideServer, Code: CodeStorageError,
		Message: "A control frame of the protocol cannot be read.",
		Hint:    "Bring server and consumer to versions of the same protocol, and see whether something between them rewrites messages.",
	},
	{
		ID: TooDeep, Name: "stream.too_deep", Side: SideServer, Code: CodeCapabilityUnavailable,
		Message: "JSON is nested more deeply than the limit.",
		Hint:    "Flatten what is written, or raise the limit. Depth that nobody intended comes from a value that wraps itself again on each pass.",
	},
	{
		ID: UnknownType, Name: "stream.unknown_type", Side: SideServer, Code: CodeUnknown,
		Message: "The type of an event is not in the table of this version.",
		Hint:    "Nothing has to be done: the event is handed over unchanged. When it should be known, look for a spelling mistake or update Tidemark.",
	},
	{
		ID: ContentType, Name: "stream.content_type", Side: SideServer, Code: CodeInvalidConfig,
		Message: "The answer is no event stream.",
		Hint:    "Open the address by hand: a login page, an error page or a catch-all route of the application often answers in place of the stream. It has to come as text/event-stream.",
	},
	{
		ID: HTTPStatus, Name: "stream.http_status", Side: SideServer, Code: CodeInvalidConfig,
		Message: "The server turned the request down, and asking again would change nothing.",
		Hint:    "Check address and parameters against the status that is named; the body of the answer often says more.",
	},
	{
		ID: Unauthorized, Name: "stream.unauthorized", Side: SideConsumer, Code: CodeInvalidConfig,
		Message: "The server did not accept the credentials.",
		Hint:    "Log in again, check that this user may see the session, and open the stream anew from the same cursor.",
	},
	{
		ID: LoadFailed, Name: "stream.load_failed", Side: SideConsumer, Code: CodePluginError,
		Message: "`load` failed, or answered without a usable cursor.",
		Hint:    "Answer `{state, cursor}`, with the cursor of this session at which that state was taken. The cause that comes along says what was thrown.",
	},
	{
		ID: LoadLoop, Name: "stream.load_loop", Side: SideConsumer, Code: CodePluginError,
		Message: "After a refusal, the state that `load` brought was refused too, before any event could follow it.",
		Hint:    "Let `load` read the log as it is now, not a stored copy. When the copy is fresh, the log itself is damaged: run `tidemark check` on it.",
	},
	{
		ID: SnapshotUnused, Name: "stream.snapshot_unused", Side: SideConsumer, Code: CodeStorageError,
		Message: "A saved snapshot was found and not used.",
		Hint:    "Nothing has to be done: the stream begins as if none had been there, and the next save takes its place. What is named tells whether it is damaged, of another version, or of another session, tenant, filter or owner; where that surprises you, see what else writes under its key.",
	},
	{
		ID: SourceFailed, Name: "stream.source_failed", Side: SideConsumer, Code: CodePluginError,
		Message: "The source that was given for the stream failed.",
		Hint:    "The cause that comes along says what was thrown. Give a function that makes a connection whenever one is wanted: then a break is mended from the cursor.",
	},
	{
		ID: ConnectionLost, Name: "stream.connection_lost", Side: SideNetwork, Code: CodeStorageError, Retryable: true,
		Message: "The connection broke.",
		Hint:    "Nothing has to be done: it is made again from the cursor. When this repeats at an even pace, a proxy between cuts connections after a fixed time.",
	},
	{
		ID: Stalled, Name: "stream.stalled", Side: SideNetwork, Code: CodeStorageError, Retryable: true,
		Message: "The connection stayed open, but not a byte arrived for too long.",
		Hint:    "Nothing has to be done: it is made again from the cursor. Have the server send a comment every 15 seconds, and turn buffering off in proxies.",
	},
	{
		ID: Incomplete, Name: "stream.incomplete", Side: SideServer, Code: CodeStorageError, Retryable: true,
		Message: "The stream ended without saying that it is over.",
		Hint:    "Close a finished stream with its terminal event, with `tidemark.end`, or with status 204 for the next request. A recording that stops here was cut off.",
	},
	{
		ID: AbiMismatch, Name: "stream.abi_mismatch", Side: SideConsumer, Code: CodeInvalidConfig,
		Message: "The WebAssembly module and the script that loads it are of different versions.",
		Hint:    "Deploy both from one release of the package, and have caches let go of the older one.",
	},
	{
		ID: ModuleExited, Name: "stream.module_exited", Side: SideOurs, Code: CodeUnknown, Retryable: true,
		Message: "The WebAssembly module stopped in the middle of its work.",
		Hint:    "The stream goes on in a fresh module from the last cursor. Please report it, with what the console says.",
	},
	{
		ID: ModuleLoad, Name: "stream.module_load", Side: SideConsumer, Code: CodeCapabilityUnavailable,
		Message: "The WebAssembly module could not be fetched or compiled.",
		Hint:    "Check that its address answers with application/wasm, and that the content security policy allows 'wasm-unsafe-eval'.",
	},
	{
		ID: BadHandle, Name: "stream.bad_handle", Side: SideConsumer, Code: CodeInvalidConfig,
		Message: "The object is closed, or was never opened.",
		Hint:    "Open a new one. It belongs to one instance of the module, and ends with it.",
	},
	{
		ID: BadInput, Name: "stream.bad_input", Side: SideConsumer, Code: CodeInvalidConfig,
		Message: "A value was passed that this call cannot take.",
		Hint:    "Compare what was found with what was expected.",
	},
	{
		ID: NotReady, Name: "stream.not_ready", Side: SideConsumer, Code: CodeInvalidConfig,
		Message: "The call came before the WebAssembly module was ready.",
		Hint:    "Wait for `init()` first.",
	},
	{
		ID: TooManyNames, Name: "stream.too_many_names", Side: SideServer, Code: CodeCapabilityUnavailable,
		Message: "The stream uses more different event types and generations than one connection can hold.",
		Hint:    "Take a type from a fixed list, and put what varies, such as an id, into a member of the event.",
	},
	{
		ID: UnknownSession, Name: "stream.unknown_session", Side: SideConsumer, Code: CodeNotFound,
		Message: "The server has no such session.",
		Hint:    "Check the session id, and that this is the server that keeps its log.",
	},
	{
		ID: LogDamaged, Name: "stream.log_damaged", Side: SideLog, Code: CodeStorageError,
		Message: "The stored log cannot be read back.",
		Hint:    "Run `tidemark check` on the file: it names the place. Restore the log from a copy, or cut it before the damage, which consumers beyond that point will then be told.",
	},
	{
		ID: Fenced, Name: "stream.fenced", Side: SideLog, Code: CodeStorageError,
		Message: "The log was taken over by another writer, so this append was refused.",
		Hint:    "Stop writing and get a new lease before going on. Nothing was stored.",
	},
	{
		ID: StoreFailed, Name: "stream.store_failed", Side: SideLog, Code: CodeStorageError, Retryable: true,
		Message: "The server could not read or write the log.",
		Hint:    "Try again. When it stays so, look at the server's own report: what went wrong is told there and to nobody else.",
	},
	{
		ID: Unstamped, Name: "stream.unstamped", Side: SideLog, Code: CodeStorageError,
		Message: "An event of a type that belongs in the log came without a seq.",
		Hint:    "Look at the store at that time: an event whose append failed is still sent, without a seq. Whoever rebuilds from the log will not see it.",
	},
	{
		ID: EphemeralRecorded, Name: "stream.ephemeral_recorded", Side: SideLog, Code: CodeStorageError,
		Message: "An event of a type that is never recorded stands in the log, or carries a seq.",
		Hint:    "Have the writer leave such types out. Nothing breaks by it, but the log grows, and readers get the same content twice: here, and in the event that completes it.",
	},
	{
		ID: ClockBack, Name: "stream.clock_back", Side: SideLog, Code: CodeUnknown,
		Message: "An event is dated earlier than the one recorded before it.",
		Hint:    "Order by seq, never by time. When the step is large, compare the clocks of the machines that write.",
	},
	{
		ID: ControlContradicted, Name: "stream.control_contradicted", Side: SideServer, Code: CodeStorageError,
		Message: "A control frame and the events around it contradict each other.",
		Hint:    "Read head and page from the same log in one go, and send no event of a session after its refusal or its end.",
	},
	{
		ID: DamagedRecording, Name: "stream.damaged_recording", Side: SideLog, Code: CodeStorageError,
		Message: "The recording is broken at this place.",
		Hint:    "A half line at the end of a log comes from a writer that died: cut it off, it was never part of the log. Save a HAR that stops early once more.",
	},
	{
		ID: NothingRecorded, Name: "stream.nothing_recorded", Side: SideConsumer, Code: CodeInvalidConfig,
		Message: "The recording holds no event that has a place, so nothing could be checked.",
		Hint:    "Name the profile that says where seq and session stand. Save a HAR with content, while the page that made the requests is still open.",
	},
	{
		ID: CheckLimit, Name: "stream.check_limit", Side: SideOurs, Code: CodeCapabilityUnavailable,
		Message: "The recording holds more of something than one check keeps track of.",
		Hint:    "What is named was read but not judged. Split the recording, by session for instance, and check the parts.",
	},
}
