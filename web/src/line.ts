import type { Answer, Connection } from "./connection.js";
import { messageOf, TidemarkError } from "./errors.js";
import { same } from "./request.js";
import type { Start } from "./rows.js";
import type { Source } from "./settings.js";
import { nextTask } from "./task.js";

/** Bytes that are handed on at once. */
const PIECE = 1 << 16;

/**
 * Milliseconds after which everybody else has a turn. What has come already is read without one, so a long replay would
 * be a single task otherwise, and a page could not react to anything while it goes on.
 */
const TURN = 8;

/** Who is told what comes through. */
export interface Hearer {
  opened(answer: Answer): void;
  bytes(piece: Uint8Array): void;
  /** The body is over: cleanly, or broken off for a reason. */
  closed(error?: string): void;
  /** What no other connection could mend. */
  failed(fault: TidemarkError): void;
  /** Resolves as soon as more can be heard. */
  room(): Promise<void>;
}

/** One connection after another, each read while it is the newest; what comes of an older one is dropped. */
export class Line {
  readonly #source: Source;
  readonly #hearer: Hearer;
  #early: { starts: readonly Start[]; connection: Connection } | undefined;
  #connection: Connection | undefined;
  /** Connections so far. */
  connections = 0;
  /** Bytes of bodies so far. */
  bytes = 0;
  /** Connections since something came through. */
  attempts = 0;
  #turned = 0;

  constructor(source: Source, hearer: Hearer) {
    this.#source = source;
    this.#hearer = hearer;
  }

  /** Asks before anybody has ordered it. What comes waits for an order to connect. */
  early(starts: readonly Start[]): void {
    this.#early = { starts, connection: this.#make(starts) };
  }

  /** Connects, in place of the connection before. The early one serves when it asked for the same thing. */
  connect(starts: readonly Start[]): void {
    this.close();
    const early = this.#early;
    this.#early = undefined;
    const serves = early && same(early.starts, starts);
    if (early && !serves) early.connection.close();
    void this.#run((this.#connection = serves ? early.connection : this.#make(starts)));
  }

  close(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.close();
  }

  /** Gives up the early one as well. */
  leave(): void {
    this.close();
    this.#early?.connection.close();
    this.#early = undefined;
  }

  #make(starts: readonly Start[]): Connection {
    this.connections++;
    return this.#source.connect(starts, ++this.attempts);
  }

  async #run(connection: Connection): Promise<void> {
    const current = () => connection === this.#connection;
    try {
      const answer = await connection.answer();
      if (!current()) return;
      if (answer.status !== 200) this.close();
      this.#hearer.opened(answer);
      if (await this.#read(connection, current)) this.#ended();
    } catch (error) {
      if (!current()) return;
      if (error instanceof TidemarkError) return this.#hearer.failed(error);
      this.#ended(messageOf(error));
    }
  }

  /** Whether the body came to its end while it was still wanted. */
  async #read(connection: Connection, current: () => boolean): Promise<boolean> {
    while (current()) {
      await this.#hearer.room();
      const chunk = current() ? await connection.read() : undefined;
      if (!current()) return false;
      if (!chunk) return true;
      this.bytes += chunk.length;
      await this.#pieces(chunk, current);
    }
    return false;
  }

  async #pieces(chunk: Uint8Array, current: () => boolean): Promise<void> {
    for (let at = 0; at < chunk.length && current(); at += PIECE) {
      if (at > 0) await this.#hearer.room();
      if (current()) this.#hearer.bytes(chunk.subarray(at, at + PIECE));
      await this.#turn();
    }
  }

  async #turn(): Promise<void> {
    if (performance.now() - this.#turned < TURN) return;
    await nextTask();
    this.#turned = performance.now();
  }

  #ended(error?: string): void {
    this.close();
    this.#hearer.closed(error);
  }
}
