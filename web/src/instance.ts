import { ABI_MISMATCH, fault, messageOf, MODULE_EXITED, MODULE_LOAD, raised, type RawFault, type TidemarkError } from "./errors.js";
import { ABI } from "./gen/seam.gen.js";
import { Go, type GoRuntime } from "./wasm_exec.js";

/** What both modules export. */
export interface Exports {
  mem: WebAssembly.Memory;
  abi(): number;
  input(n: number): number;
  output(): number;
  output_len(): number;
  crash(): void;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * One running instance of a module. A panic inside, or anything thrown through an export, marks it dead
 * for good: it answers every later call with the same fault, and its owner takes a fresh one.
 */
export class Instance<X extends Exports = Exports> {
  readonly #exports: X;
  readonly #go: GoRuntime;
  #memory = new Uint8Array();
  #dead: TidemarkError | undefined;

  /** Refuses a module that speaks another seam; both numbers are named. */
  constructor(instance: WebAssembly.Instance, go: GoRuntime) {
    this.#exports = instance.exports as unknown as X;
    this.#go = go;
    checkShape(instance.exports);
    const abi = this.run((e) => e.abi());
    if (abi !== ABI) throw fault(ABI_MISMATCH, { expected: `ABI ${ABI}`, found: `ABI ${abi}` });
  }

  get dead(): boolean {
    return this.#dead !== undefined;
  }

  /** A copy of linear memory; the original moves or changes with the next call. */
  copy(at: number, length: number): Uint8Array {
    return this.memory().slice(at, at + length);
  }

  text(at: number, length: number): string {
    return decoder.decode(this.memory().subarray(at, at + length));
  }

  /** Panics on purpose, to rehearse what happens then. */
  crash(): never {
    this.run((e) => (e.crash(), undefined as unknown as number));
    throw exited(undefined);
  }

  /** Growth detaches every view, and any call may grow: never keep one across a call. A view that is detached has no length. */
  protected memory(): Uint8Array {
    if (this.#memory.length === 0) this.#memory = new Uint8Array(this.#exports.mem.buffer);
    return this.#memory;
  }

  /** Writes an argument to the input room; answers its length. */
  put(argument: string | Uint8Array): number {
    const bytes = typeof argument === "string" ? encoder.encode(argument) : argument;
    if (bytes.length > 0) {
      const at = this.run((e) => e.input(bytes.length)) >>> 0;
      this.memory().set(bytes, at);
    }
    return bytes.length;
  }

  /** The last answer as text. */
  protected output(length = this.run((e) => e.output_len())): string {
    return this.text(this.run((e) => e.output()) >>> 0, length);
  }

  /** The last answer as a result; its fault is thrown. */
  protected answer(): unknown {
    const { ok, fault } = JSON.parse(this.output()) as { ok?: unknown; fault?: RawFault };
    if (fault) throw raised(fault);
    return ok;
  }

  /** Every export is called here. After a panic an export answers nothing and Go has exited. */
  run(use: (e: X) => number): number {
    if (this.#dead) throw this.#dead;
    let answer: number | undefined;
    let thrown: unknown;
    try {
      answer = use(this.#exports);
    } catch (error) {
      thrown = error;
    }
    if (answer === undefined || this.#go.exited) throw (this.#dead = exited(thrown));
    return answer;
  }
}

/** Makes the shell's half of an instance. */
export type Kind<T> = new (instance: WebAssembly.Instance, go: GoRuntime) => T;

/** Starts Go in an instance and checks that the shell can talk to it. */
export async function start<T>(module: WebAssembly.Module, kind: Kind<T>): Promise<T> {
  const go = newGo();
  return boot(await WebAssembly.instantiate(module, go.importObject), go, kind);
}

/** As `start`, at once. Some engines refuse this for large modules on a page's main thread. */
export function startNow<T>(module: WebAssembly.Module, kind: Kind<T>): T {
  const go = newGo();
  return boot(new WebAssembly.Instance(module, go.importObject), go, kind);
}

function newGo(): GoRuntime {
  const go = new Go();
  go.exit = () => {};
  return go;
}

function boot<T>(instance: WebAssembly.Instance, go: GoRuntime, kind: Kind<T>): T {
  go.run(instance).catch(() => {});
  return new kind(instance, go);
}

function checkShape(exports: WebAssembly.Exports): void {
  if (typeof exports.abi === "function") return;
  const found = `the exports ${Object.keys(exports).slice(0, 5).join(", ") || "of an empty module"}`;
  throw fault(MODULE_LOAD, { expected: `a module of Tidemark, with an export "abi"`, found });
}

function exited(thrown: unknown): TidemarkError {
  return fault(MODULE_EXITED, thrown === undefined ? {} : { found: messageOf(thrown), cause: thrown });
}
