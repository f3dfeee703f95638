/** Questions to the core for those who bring their own transport: loads `calls.wasm` and nothing else. */
import { calls } from "./ask.js";
import { load, type ModuleSource } from "./load.js";

/** Makes the functions of this entry ready; from the file of the package, or from a source of yours. */
export async function init(source?: ModuleSource | PromiseLike<ModuleSource>): Promise<void> {
  await (source === undefined ? calls.ready() : load(calls, source));
}

export type { ModuleSource } from "./load.js";
export { parseCursor, formatCursor, type CursorParts } from "./cursor.js";
export { resolve, type ResolveInput, type ResolveCursor, type Resolved } from "./resolve.js";
export { track, type Tracker, type TrackOptions } from "./tracker.js";
export { describe, type TypeDescription } from "./types.js";
export { TidemarkError, type Fault } from "./errors.js";
export {
  explain, normalize, facts, withHint, hintOf, CodedError, ProviderError,
  type Explanation, type NormalForm, type Facts, type ErrorCode, type CodedErrorInit, type ProviderErrorInit,
} from "./thrown.js";
export type { Profile } from "./profile.js";
export type { Cursor, Decision, Evidence, Reason, Refusal, Strength, Verdict } from "./verdicts.js";
