import type { HeadersRequest } from "../headers.js";
import type { Applied } from "../marks.js";
import type { SavedPlace } from "../replaces.js";
import type { Place, Start } from "../rows.js";
import type { LoadRequest, OpenOptions, Settings } from "../settings.js";
import type { StreamState } from "../state.js";
import type { Stats } from "../stats.js";
import type { Decision } from "../verdicts.js";
import type { Packed, PackedFault } from "./pack.js";

/** What a page sends a worker that has just started, or that is to serve one more stream through `port`. */
export interface Opening {
  port: MessagePort;
  settings: FarSettings;
  /** Compiled in the page already. */
  module?: WebAssembly.Module;
}

/** A question that belongs to no stream: whether a saved record may take the place of another. Answered through `port`. */
export interface Comparison {
  port: MessagePort;
  old: SavedPlace;
  record: SavedPlace;
}

/** A lock to hold for as long as the worker lives. */
export interface Holding {
  lock: string;
}

/** What a page sends to the worker itself. */
export type ToWorker = Opening | Comparison | Holding;

/** Settings of a stream without what no message can carry: functions stay in the page and are asked for. */
export interface FarSettings
  extends Pick<Settings<number>, "sessions" | "cursors" | "proofs" | "from" | "mode" | "proof" | "profile" | "maxFrame" | "maxDepth"> {
  url: string;
  /** "ask": the app gives them for each request. */
  headers: [string, string][] | "ask";
  credentials: OpenOptions["credentials"];
  load: boolean;
  decisions: boolean;
  /** States by ticket. */
  initial: { state: number; cursor: string }[];
  /** Where the stream stood when a worker before this one was lost. */
  resume?: Resume;
}

/** Where a stream stands, or stood when it was lost. */
export interface Resume {
  places: readonly Place[];
  /** Sessions of which nothing more comes. */
  gone: readonly string[];
  starts: readonly Start[];
}

/** A question of the worker to the app. */
export type Question =
  | { what: "load"; request: Omit<LoadRequest, "signal"> }
  | { what: "headers"; request: HeadersRequest };

/** What a worker sends about one stream, in the order in which it happened. */
export type Sent =
  /** `moves`: where the stream stands then, of the places those that have changed. */
  | { kind: "items"; packed: Packed; size: number; moves: Resume; stats: Stats }
  /** `held`: whether items from before wait in the worker for room. */
  | { kind: "state"; state: StreamState; held: boolean; moves: Resume; stats: Stats }
  | { kind: "decisions"; decisions: Decision[] }
  | { kind: "ask"; id: number; question: Question }
  | { kind: "abandon"; id: number }
  | { kind: "answer"; id: number; value: unknown }
  | { kind: "over"; stats: Stats; fault?: PackedFault; error?: string };

/** What a page sends. */
export type Told =
  /** Items were taken in; there is room for as many again. */
  | { kind: "took" }
  | { kind: "answer"; id: number; value?: unknown; thrown?: { number: number; message: string } }
  | { kind: "reset"; id: number; cursor: string; session: string }
  /** `heard`: how many lots of items have come. */
  | { kind: "mark"; id: number; session: string; applied: Applied | undefined; heard: number }
  | { kind: "page"; visible: boolean }
  | { kind: "stop" };
