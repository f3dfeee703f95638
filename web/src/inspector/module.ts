import { BAD_HANDLE, fault } from "../errors.js";
import { OF } from "../gen/seam.gen.js";
import { Instance, type Exports } from "../instance.js";
import { Loader } from "../load.js";
import { host } from "../wasm_exec.js";
import { present } from "./present.js";

interface FullExports extends Exports {
  log_open(n: number): number;
  log_write(handle: number, of: number, n: number): number;
  log_end(handle: number): number;
  log_spilled(handle: number, place: number, n: number): number;
  log_text(handle: number, what: number, now: number): number;
  log_close(handle: number): void;
  runs_close(handle: number): void;
  ask(op: number, handle: number, n: number, now: number): number;
}

/** What a question takes along. */
export interface Question {
  handle?: number;
  bytes?: string | Uint8Array;
  /** A plain object: the module reads it member by member. */
  argument?: unknown;
  now?: number;
}

/** How much of a log goes over at once, in bytes. */
const PIECE = 1 << 18;

/** The module of the inspector. A handle belongs to the instance that gave it out. */
export class Full extends Instance<FullExports> {
  /** Begins a log; throws what is wrong with the options. */
  open(options: string): number {
    const n = this.put(options);
    const handle = this.run((e) => e.log_open(n));
    if (handle === 0) this.answer();
    return handle;
  }

  write(handle: number, of: number, chunk: string | Uint8Array): void {
    if (typeof chunk === "string" || of !== OF.log) return this.#write(handle, of, chunk);
    for (let at = 0; at < chunk.length; at += PIECE) this.#write(handle, of, chunk.subarray(at, at + PIECE));
  }

  #write(handle: number, of: number, chunk: string | Uint8Array): void {
    const n = this.put(chunk);
    if (this.run((e) => e.log_write(handle, of, n)) < 0) throw fault(BAD_HANDLE);
  }

  end(handle: number): void {
    if (this.run((e) => e.log_end(handle)) < 0) throw fault(BAD_HANDLE);
  }

  /** Hands over a body that lay apart: that of a place in the list of references. */
  spilled(handle: number, place: number, body: Uint8Array): void {
    const n = this.put(body);
    if (this.run((e) => e.log_spilled(handle, place, n)) < 0) throw fault(BAD_HANDLE);
  }

  /** A list of a log, which is JSON on its way; its fault is thrown. */
  list<T>(handle: number, what: number, now = 0): T {
    this.run((e) => e.log_text(handle, what, now));
    return this.answer() as T;
  }

  /** Forgets a log. Of a module that died there is nothing to forget. */
  close(handle: number): void {
    if (!this.dead) this.run((e) => (e.log_close(handle), 0));
  }

  closeRuns(handle: number): void {
    if (!this.dead) this.run((e) => (e.runs_close(handle), 0));
  }

  /** A question whose answer is an object; its fault is thrown. */
  ask<T>(op: number, { handle = 0, bytes = "", argument, now = 0 }: Question = {}): T {
    const n = this.put(bytes);
    host.argument = argument;
    try {
      if (this.run((e) => e.ask(op, handle, n, now)) === 0) this.answer();
      return present(host.answer) as T;
    } finally {
      host.argument = host.answer = undefined;
    }
  }
}

export const full = new Loader(Full, () => new URL("../full.wasm", import.meta.url));
