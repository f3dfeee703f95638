/** For whatever stands between a server and its consumers: workers at the edge, Deno, Bun, Node, a service worker. Loads `relay.wasm` and nothing else. */
export { init } from "./core.js";
export { validate, type ValidateOptions } from "./validate.js";
export { proxy, type ProxyOptions } from "./proxy.js";
export { CursorObject, durableMemory, type ObjectNamespace, type ObjectState } from "./durable.js";
export { replaces, type CursorStore, type MemoryOptions, type Remembered } from "./memory.js";
export type { Fetching } from "./exchange.js";
export type { HistoryOptions, PageCache } from "./history.js";
export type { Asked, Judging } from "./options.js";
export type { ModuleSource } from "../load.js";
export { TidemarkError, type Fault } from "../errors.js";
export type { Profile } from "../profile.js";
export type { Decision, Evidence, Reason, Refusal } from "../verdicts.js";
