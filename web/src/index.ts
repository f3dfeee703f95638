/**
 * Tidemark: resumable agent event streams that refuse a splice.
 *
 *   for await (const item of open("/v1/sessions/s1/events", { cursor })) switch (item.kind) { … }
 */
export { init } from "./init.js";
export { open, type Stream } from "./open.js";
export type { Answer, Connection } from "./connection.js";
export type { OpenOptions, Load, LoadRequest, Loaded, Source } from "./settings.js";
export type { Saved, SnapshotOptions } from "./snapshots.js";
export type { GiveHeaders, HeadersRequest } from "./headers.js";
export type { ConnectionState, Phase, StreamState } from "./state.js";
export type { Stats } from "./stats.js";
export type { Item, StateItem, EventItem, DraftItem, RestartItem, LiveItem, RefusedItem, EndItem, EndCause } from "./items.js";
export type { TidemarkEvent } from "./events.js";
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
