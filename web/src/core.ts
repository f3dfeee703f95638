import { ABI_MISMATCH, BAD_HANDLE, fault, messageOf, MODULE_EXITED, MODULE_LOAD, raised, type RawFault, type TidemarkError } from "./errors.js";
import { Go, type GoRuntime } from "./wasm_exec.js";
import * as op from "./ops.js";

/** The seam this shell speaks: docs/seam.md. */
export const ABI = 1;

interface Exports {
  mem: WebAssembly.Memory;
  abi(): number;
  input(n: number): number;
  output(): number;
  output_len(): number;
  call(op: number, handle: number, n: number): number;
  rows(): number;
  link_open(n: number): number;
  link_reserve(handle: number, n: number): number;
  link_feed(handle: number, n: number, now: number, random: number): number;
  link_input(handle: number, kind: number, n: number, now: number, random: number): number;
  link_next(handle: number): number;
  link_close(handle: number): void;
  crash(): void;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * One running instance of the module. A panic inside, or anything thrown through an export, marks it
 * dead for good: it answers every later call with the same fault, and its owner takes a fresh one.
 */
export class Core {
  readonly #exports: Exports;
  readonly #go: GoRuntime;
  readonly #rows: number;
  #memory = new Uint8Array();
  #dead: TidemarkError | undefined;
  #types: string[] | undefined;

  /** Refuses a module that speaks another seam; both numbers are named. */
  constructor(instance: WebAssembly.Instance, go: GoRuntime) {
    this.#exports = instance.exports as unknown as Exports;
    this.#go = go;
    checkShape(instance.exports);
    const abi = this.#run((e) => e.abi());
    if (abi !== ABI) throw mismatch(abi);
    this.#rows = this.#run((e) => e.rows()) >>> 0;
  }

  get dead(): boolean {
    return this.#dead !== undefined;
  }

  /** A cold call: text or bytes in, the answer's `ok` out. Throws the answer's fault. */
  call(op: number, handle = 0, argument: string | Uint8Array = ""): unknown {
    const n = this.#put(argument);
    const length = this.#run((e) => e.call(op, handle, n));
    return this.#answer(length);
  }

  /** The names of the type table, in the order of its indexes. */
  get types(): readonly string[] {
    return (this.#types ??= this.call(op.types) as string[]);
  }

  /** A text that rows name by a number. */
  name(handle: number, id: number): string {
    return this.call(op.text, handle, new Uint8Array(Uint32Array.of(id).buffer)) as string;
  }

  openLink(options: string): number {
    const n = this.#put(options);
    const handle = this.#run((e) => e.link_open(n));
    if (handle !== 0) return handle;
    const at = this.#run((e) => e.output()) >>> 0;
    const length = this.#run((e) => e.output_len());
    const answer = JSON.parse(this.text(at, length)) as { fault: RawFault };
    throw raised(answer.fault);
  }

  /** Hands network bytes to a link; answers how many rows wait. */
  feedLink(handle: number, bytes: Uint8Array, now: number, random: number): number {
    const at = this.#run((e) => e.link_reserve(handle, bytes.length)) >>> 0;
    if (at === 0) throw badHandle();
    this.#view().set(bytes, at);
    return this.#rowCount((e) => e.link_feed(handle, bytes.length, now, random));
  }

  inputLink(handle: number, kind: number, argument: string, now: number, random: number): number {
    const n = this.#put(argument);
    return this.#rowCount((e) => e.link_input(handle, kind, n, now, random));
  }

  nextLink(handle: number): number {
    return this.#rowCount((e) => e.link_next(handle));
  }

  closeLink(handle: number): void {
    this.#run((e) => (e.link_close(handle), 0));
  }

  /** A copy of the first `count` rows. */
  rows(count: number): ArrayBuffer {
    return this.copy(this.#rows, count * 32).buffer as ArrayBuffer;
  }

  /** A copy of linear memory; the original moves or changes with the next call. */
  copy(at: number, length: number): Uint8Array {
    return this.#view().slice(at, at + length);
  }

  text(at: number, length: number): string {
    return decoder.decode(this.#view().subarray(at, at + length));
  }

  /** Panics on purpose, to rehearse what happens then. */
  crash(): never {
    this.#run((e) => (e.crash(), undefined as unknown as number));
    throw exited(undefined);
  }

  /** Growth detaches every view, and any call may grow: never keep one across a call. */
  #view(): Uint8Array {
    const { buffer } = this.#exports.mem;
    if (this.#memory.buffer !== buffer) this.#memory = new Uint8Array(buffer);
    return this.#memory;
  }

  #put(argument: string | Uint8Array): number {
    const bytes = typeof argument === "string" ? encoder.encode(argument) : argument;
    if (bytes.length > 0) {
      const at = this.#run((e) => e.input(bytes.length)) >>> 0;
      this.#view().set(bytes, at);
    }
    return bytes.length;
  }

  #answer(length: number): unknown {
    const at = this.#run((e) => e.output()) >>> 0;
    const { ok, fault } = JSON.parse(this.text(at, length)) as { ok?: unknown; fault?: RawFault };
    if (fault) throw raised(fault);
    return ok;
  }

  #rowCount(use: (e: Exports) => number): number {
    const count = this.#run(use);
    if (count < 0) throw badHandle();
    return count;
  }

  /** Every export is called here. After a panic an export answers nothing and Go has exited. */
  #run(use: (e: Exports) => number): number {
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

/** Starts Go in an instance and checks that the shell can talk to it. */
export async function start(module: WebAssembly.Module): Promise<Core> {
  const go = newGo();
  return boot(await WebAssembly.instantiate(module, go.importObject), go);
}

/** As `start`, at once. Some engines refuse this for large modules on a page's main thread. */
export function startNow(module: WebAssembly.Module): Core {
  const go = newGo();
  return boot(new WebAssembly.Instance(module, go.importObject), go);
}

function newGo(): GoRuntime {
  const go = new Go();
  go.exit = () => {};
  return go;
}

function boot(instance: WebAssembly.Instance, go: GoRuntime): Core {
  go.run(instance).catch(() => {});
  return new Core(instance, go);
}

function checkShape(exports: WebAssembly.Exports): void {
  if (typeof exports.abi === "function") return;
  const found = `the exports ${Object.keys(exports).slice(0, 5).join(", ") || "of an empty module"}`;
  throw fault(MODULE_LOAD, { expected: `Tidemark's module, with an export "abi"`, found });
}

function mismatch(abi: number): TidemarkError {
  return fault(ABI_MISMATCH, { expected: `ABI ${ABI}`, found: `ABI ${abi}` });
}

function exited(thrown: unknown): TidemarkError {
  return fault(MODULE_EXITED, thrown === undefined ? {} : { found: messageOf(thrown), cause: thrown });
}

function badHandle(): TidemarkError {
  return fault(BAD_HANDLE);
}
