package fault

// relayRules has one row for everything that a relay between server and consumer can
// have to say, and, as its number is the last of streams, one for what is ours.
var relayRules = []Rule{
	{
		ID: RelayFailed, Name: "stream.relay_failed", Side: SideServer, Code: CodeStorageError,
		Message: "A relay between server and consumer gave the connection up.",
		Hint:    "What it found is named: look for it at the server behind the relay. The next connection begins at the cursor, as after any break.",
	},
	{
		ID: UpstreamDown, Name: "stream.upstream_down", Side: SideServer, Code: CodeStorageError,
		Message: "The server behind the relay gave no answer.",
		Hint:    "Check the upstream address of the relay, and whether the server runs and can be reached from there. Trying again later is right.",
	},
	{
		ID: UpstreamMoved, Name: "stream.upstream_moved", Side: SideServer, Code: CodeInvalidConfig,
		Message: "The server behind the relay answered with a redirect, or that nothing has changed.",
		Hint:    "Give the relay the address that the redirect leads to. It follows none, because credentials would go along; and a stream is never answered from a cache.",
	},
	{
		ID: UpstreamStatus, Name: "stream.upstream_status", Side: SideServer, Code: CodeStorageError,
		Message: "The server behind the relay turned the request down.",
		Hint:    "The status is the server's own. Its page for people was left out; ask the server itself to see it.",
	},
	{
		ID: UpstreamNotStream, Name: "stream.upstream_not_stream", Side: SideServer, Code: CodeInvalidConfig,
		Message: "The server behind the relay answered something else than an event stream.",
		Hint:    "Open the upstream address by hand: a login page or a catch-all route often answers in place of the stream. It has to come as text/event-stream.",
	},
	{
		ID: UpstreamEncoded, Name: "stream.upstream_encoded", Side: SideServer, Code: CodeInvalidConfig,
		Message: "The server behind the relay answered a compressed stream.",
		Hint:    "Turn compression off for event streams there: it holds events back, and a relay would have to guess where they end. Compress between relay and consumer, if anywhere.",
	},
	{
		ID: InternalFault, Name: "stream.internal", Side: SideOurs, Code: CodeUnknown,
		Message: "Tidemark contradicts itself.",
		Hint:    "This is a bug of ours. Please report it with what was expected and what was found; neither holds any of your data.",
	},
}
