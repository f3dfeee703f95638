/** What a stream can promise: the name of a profile, or one of your own as plain data (docs/protocol.md). */
export type Profile = "session" | "record" | "run" | (string & {}) | Readonly<Record<string, unknown>>;
