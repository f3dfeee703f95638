import { Instance, type Exports } from "./instance.js";
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

export const calls = new Loader(Calls, () => new URL("./calls.wasm", import.meta.url));

/** One question to the running module. */
export function ask(op: number, argument: string, handle = 0): unknown {
  return calls.now().call(op, handle, argument);
}
