/**
 * Looks at whole logs: what they hold, whether their checkpoints can be trusted, which runs there are. Loads `full.wasm`
 * and nothing else; no other entry of the package does.
 */
import { load, type ModuleSource } from "../load.js";
import { full } from "./module.js";

/** Loads the module from a source of yours; without this call it comes from the file of the package when it is needed. */
export async function init(source?: ModuleSource | PromiseLike<ModuleSource>): Promise<void> {
  await (source === undefined ? full.ready() : load(full, source));
}

export type { ModuleSource } from "../load.js";
export type { LogSource, ReadOptions } from "./bytes.js";
export { inspect, type Checkpoint, type Finding, type Inspection, type InspectOptions, type Park } from "./inspect.js";
export type { ParkState } from "../gen/parks.gen.js";
export { foldContext, type ContextOptions, type FoldedContext, type Message } from "./context.js";
export { verifyCheckpoint, type Proven, type Verification, type VerifyOptions } from "./verify.js";
export { listDurable, type FolderRun, type ListOptions, type Run, type RunPage, type RunRow, type Runs, type RunsSource, type Scope } from "./runs.js";
export { parseDecision, grantKeys, type Decision } from "./decision.js";
export type { Outcome, Refused } from "./results.js";
export { TidemarkError, type Fault } from "../errors.js";
