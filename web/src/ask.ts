import { fault, NOT_READY } from "./errors.js";
import { Instance, startNow, type Exports } from "./instance.js";
import { Loader } from "./load.js";

interface CallExports extends Exports {
  call(op: number, handle: number, n: number): number;
}

/** The module that answers single questions. */
export class Calls extends Instance<CallExports> {
  /** Text or bytes in, the answer's `ok` out. Throws the answer's fault. */
  call(op: number, handle = 0, argument: string | Uint8Array = ""): unknown {
    const n = this.put(argument);
    this.run((e) => e.call(op, handle, n));
    return this.answer();
  }
}

/** Loads that module for functions that cannot wait. */
export class Answers extends Loader<Calls> {
  /** The running instance. Throws `stream.not_ready` before there was one. */
  now(): Calls {
    if (!this.current || !this.module) throw fault(NOT_READY);
    if (this.current.dead) this.current = startNow(this.module, this.kind);
    return this.current;
  }
}

export const calls = new Answers(Calls, () => new URL("./calls.wasm", import.meta.url));

/** One question to the running module. */
export function ask(op: number, argument: string, handle = 0): unknown {
  return calls.now().call(op, handle, argument);
}
