import { BAD_INPUT, fault, INVALID_OPTIONS } from "./errors.js";
import type { Mark } from "./rows.js";
import { FORMAT, fnv1a, sealed, unusable, type SnapshotParts, type SnapshotRecord } from "./storage/record.js";
import type { SnapshotStore } from "./storage/store.js";
import type { Decision } from "./verdicts.js";

/** Where snapshots are kept, and what tells those of this stream from others. */
export interface SnapshotOptions {
  store: SnapshotStore;
  /** First part of the keys. Default: "tidemark". */
  key?: string | undefined;
  /** Whose data it is: the id of the user or customer. Default: "". */
  tenant?: string | undefined;
  /** What of the session is asked for. Default: told from the address with its query, and the profile. */
  scope?: string | undefined;
  /** Who has the state. Default: what the store says, else "origin". */
  owner?: "origin" | "tab" | undefined;
}

/**
 * What became of a `save()`. Not saved: the record that is there is ahead, a new state is on its way to you, or nothing has
 * come yet that a cursor could stand on.
 */
export interface Saved {
  saved: boolean;
  /** Token of the cursor that belongs to the state, when there is one. */
  cursor?: string;
}

/** The core decides it. */
export type Replaces = (old: SnapshotRecord, record: SnapshotRecord) => boolean | PromiseLike<boolean>;

/** The option, once it was checked. `about` is what else the stream depends on: its address and profile. */
export interface SnapshotSettings extends SnapshotOptions {
  about: string;
}

/** A snapshot that was found. */
export interface Found<S> extends Mark {
  session: string;
  state: S;
}

/** How often another writer may come between before the store is to blame. */
const TRIES = 100;

/** The saved snapshots of one stream: read when it opens, written when the app says so. Decides nothing about positions. */
export class Snapshots {
  readonly #store: SnapshotStore;
  readonly #key: string;
  readonly #parts: Omit<SnapshotParts, "session">;
  readonly #report: (decision: Decision) => void;
  /** Of the state that the app has, by session. */
  readonly #epochs = new Map<string, number | Promise<number>>();
  /** Of a state that is on its way to the app. */
  readonly #coming = new Map<string, Promise<number>>();
  /** Checks of records that are whole, and of no use all the same. */
  readonly #spoiled = new Set<string>();
  readonly #turns = new Map<string, Promise<unknown>>();

  /** Throws `stream.invalid_options`. */
  constructor(options: SnapshotSettings, report: (decision: Decision) => void) {
    checkParts(options);
    const { store, key = "tidemark", tenant = "", about, scope = fnv1a(about), owner = store.owner ?? "origin" } = options;
    this.#store = store;
    this.#key = key;
    this.#parts = { tenant, scope, owner };
    this.#report = report;
  }

  /** What is saved for these sessions. */
  async first<S>(sessions: readonly string[]): Promise<Found<S>[]> {
    const found = await Promise.all(sessions.map((session) => this.#first<S>(session)));
    return found.filter((each) => each !== undefined);
  }

  async #first<S>(session: string): Promise<Found<S> | undefined> {
    const { record } = await this.#read(session, true);
    if (!record) return undefined;
    try {
      const state = JSON.parse(record.state) as S;
      this.#epochs.set(session, record.epoch);
      return { session, state, cursor: record.cursor, ...(record.proof !== "" && { proof: record.proof }) };
    } catch {
      this.#spoiled.add(record.check);
      this.#unused(session, "a state that is no JSON");
      return undefined;
    }
  }

  /** A state that does not follow from the one before is being made: it begins a new epoch, once the app has it. */
  loading(session: string): void {
    this.#coming.set(session, this.#next(session));
  }

  /** The app has that state. */
  loaded(session: string): void {
    const epoch = this.#coming.get(session);
    this.#coming.delete(session);
    if (epoch) this.#epochs.set(session, epoch);
  }

  /** One more than that of every state known for the session, of this tab or another. */
  async #next(session: string): Promise<number> {
    const [own, { record }] = await Promise.all([this.#epochs.get(session) ?? 0, this.#read(session)]);
    return Math.max(own, record?.epoch ?? 0) + 1;
  }

  /**
   * Saves what `state` is now; it may change as soon as this has returned. `mark` is the cursor that belongs to it. Saves of
   * one session are written in their order.
   */
  save(session: string, state: unknown, mark: Promise<Mark | undefined>, replaces: Replaces): Promise<Saved> {
    const text = textOf(state);
    const coming = this.#coming.has(session);
    const epoch = this.#epochs.get(session) ?? 0;
    const write = async (): Promise<Saved> => {
      const { cursor, proof = "" } = (await mark) ?? {};
      if (cursor === undefined) return { saved: false };
      if (coming) return { saved: false, cursor };
      const key = this.#keyOf(session);
      const record = sealed({ format: FORMAT, key, session, ...this.#parts, epoch: await epoch, cursor, proof, state: text });
      return { saved: await this.#write(record, replaces), cursor };
    };
    return this.#inTurn(session, write);
  }

  #inTurn<T>(session: string, run: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(session) ?? Promise.resolve();
    const mine = before.then(run, run);
    this.#turns.set(session, mine);
    return mine;
  }

  /** Compares and writes, again when somebody else wrote in between. */
  async #write(record: SnapshotRecord, replaces: Replaces): Promise<boolean> {
    for (let i = 0; i < TRIES; i++) {
      const there = await this.#read(record.session);
      if (there.record && !(await replaces(there.record, record))) return false;
      if (await this.#store.write(record, there.check)) return true;
    }
    throw fault(BAD_INPUT, { expected: "a store whose write() answers true when `expected` is what is there", found: `false, ${TRIES} times` });
  }

  /** The record if it can be used, and the check of whatever is there. */
  async #read(session: string, tell = false): Promise<{ record?: SnapshotRecord; check?: string }> {
    const key = this.#keyOf(session);
    let record: SnapshotRecord | undefined | null;
    let problem: string | undefined;
    try {
      record = await this.#store.read(key);
      if (record === undefined || record === null) return {};
      problem = unusable(record, key, { session, ...this.#parts });
    } catch {
      problem = "not readable"; // what the store threw may quote the state
    }
    if (problem === undefined && record) return { check: record.check, ...(!this.#spoiled.has(record.check) && { record }) };
    if (tell) this.#unused(session, problem!);
    return typeof record?.check === "string" ? { check: record.check } : {};
  }

  #unused(session: string, problem: string): void {
    this.#report({ session, verdict: "discarded", rule: "stream.snapshot_unused", problem });
  }

  #keyOf(session: string): string {
    const { owner, tenant, scope } = this.#parts;
    return JSON.stringify([this.#key, owner, tenant, scope, session]);
  }
}

const PARTS = ["key", "tenant", "scope", "owner"];

function checkParts({ store, about: _, ...parts }: SnapshotSettings): void {
  const wrong = Object.entries(parts).find(([name, text]) => !PARTS.includes(name) || (text !== undefined && typeof text !== "string"));
  if (wrong) throw misfit(`${PARTS.join(", ")}, all text`, PARTS.includes(wrong[0]) ? `${wrong[0]}: ${typeof wrong[1]}` : `"${wrong[0]}"`);
  const owners = store.owner ? [store.owner] : ["origin", "tab"];
  if (parts.owner !== undefined && !owners.includes(parts.owner)) throw misfit(`owner ${owners.join(" or ")}`, parts.owner);
}

function misfit(expected: string, found: string) {
  return fault(INVALID_OPTIONS, { expected: `snapshots: ${expected}`, found });
}

function textOf(state: unknown): string {
  let text: string | undefined;
  let cause: unknown;
  try {
    text = JSON.stringify(state);
  } catch (error) {
    cause = error;
  }
  if (text !== undefined) return text;
  throw fault(BAD_INPUT, { expected: "save: a state that JSON can hold", found: typeof state, cause });
}
