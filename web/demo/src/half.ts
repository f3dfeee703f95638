import type { LogCopy } from "./log-copy.js";

/** What stands beside Tidemark in a scene. */
export interface Half {
  start(): void;
  /** Ends its streams and shows nothing any more. */
  close(): void;
  /** The log is another one from this seq on. */
  changed(from: number): void;
  /** `gone`: the server cannot be asked. */
  draw(log: LogCopy, gone: boolean): void;
}
