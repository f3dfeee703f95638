import type { ProfileName } from "./gen/words.gen.js";

/** What a stream can promise: the name of a profile, or one of your own as plain data (docs/protocol.md). */
export type Profile = ProfileName | (string & {}) | Readonly<Record<string, unknown>>;
