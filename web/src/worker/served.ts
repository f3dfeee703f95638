import { Driver } from "../driver.js";
import { messageOf, TidemarkError } from "../errors.js";
import type { Item } from "../items.js";
import { Marks, type Applied } from "../marks.js";
import { overHttp } from "../options.js";
import type { Mark, Place } from "../rows.js";
import type { Load, LoadRequest, Settings } from "../settings.js";
import { Standing } from "../standing.js";
import { NOTHING } from "../stats.js";
import type { Decision } from "../verdicts.js";
import type { FarSettings, Question, Resume, Sent, Told } from "./messages.js";
import { Outbox } from "./outbox.js";
import { pack, packedFault, Thrown, type PackedFault } from "./pack.js";
import { Questions } from "./questions.js";

/** One stream in a worker: a driver like any other, whose queue, callbacks and orders are messages. */
export class Served {
  readonly #port: MessagePort;
  readonly #questions = new Questions();
  readonly #outbox = new Outbox((items, size) => this.#items(items, size), (error) => this.#over(error));
  readonly #marks = new FarMarks();
  readonly #standing: MovingStanding;
  readonly #driver: Driver<unknown, number>;
  #decisions: Decision[] = [];
  /** Where the page knows that the stream stands. */
  #moves: Resume = { places: [], gone: [], starts: [] };

  constructor(port: MessagePort, far: FarSettings) {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<Told>) => this.#hear(data);
    const settings = this.#settings(far);
    this.#standing = new MovingStanding(settings as Settings<unknown>, far.resume);
    this.#driver = new Driver(settings, { queue: this.#outbox as never, marks: this.#marks, standing: this.#standing });
  }

  #settings({ url, headers, load, decisions, initial, credentials, resume, ...plain }: FarSettings): Settings<number> {
    return {
      ...plain,
      ...overHttp(new URL(url), { credentials, headers: headers === "ask" ? (request) => this.#ask({ what: "headers", request }) : headers }),
      initial,
      ...(resume && { single: false }), // nothing is asked before the link has said where it is
      load: load ? this.#load : undefined,
      onDecision: decisions ? (decision) => this.#decided(decision) : undefined,
      onState: (state) => this.#post({ kind: "state", state, held: !this.#outbox.empty, ...this.#standings() }),
      debug: undefined,
      signal: undefined,
    };
  }

  #hear(told: Told): void {
    switch (told.kind) {
      case "took":
        return this.#outbox.took();
      case "answer":
        return this.#questions.answered(told.id, told);
      case "reset":
        return this.#reset(told);
      case "mark":
        return this.#answer(told.id, this.#marks.tells(told) ? this.#markAt(told.session, told.applied) : undefined);
      case "page":
        return this.#driver.page(told.visible);
      case "stop":
        return this.#driver.stop();
    }
  }

  /** A stream that is over by now has nothing to reset any more. */
  #reset({ id, cursor, session }: Told & { kind: "reset" }): void {
    try {
      this.#driver.reset(cursor, session);
    } catch {}
    this.#answer(id, "done");
  }

  #answer(id: number, value: unknown): void {
    this.#post({ kind: "answer", id, value });
  }

  #markAt(session: string, applied: Applied | undefined): Mark | undefined {
    this.#marks.asked = applied;
    return this.#driver.mark(session);
  }

  readonly #load: Load<number> = ({ signal, ...request }: LoadRequest) =>
    this.#ask({ what: "load", request }, signal);

  /** What the app threw is thrown here under its number. */
  async #ask<T>(question: Question, signal?: AbortSignal): Promise<T> {
    const { id, answer } = this.#questions.ask<Told & { kind: "answer" }>((id) => this.#post({ kind: "ask", id, question }));
    signal?.addEventListener("abort", () => {
      this.#questions.giveUp(id);
      this.#post({ kind: "abandon", id });
    });
    const { value, thrown } = await answer;
    if (thrown) throw new Thrown(thrown.number, thrown.message);
    return value as T;
  }

  #items(items: Item[], size: number): void {
    this.#marks.sends(items);
    const packed = pack(items);
    this.#post({ kind: "items", packed, size, ...this.#standings() }, [packed.bytes.buffer]);
  }

  /** While items wait here, the page is told of no place behind them: another worker would begin there. */
  #standings() {
    const driver = this.#driver as Driver<unknown, number> | undefined; // none yet while its constructor runs
    if (this.#outbox.empty) this.#moves = this.#standing.news();
    return { moves: this.#moves, stats: driver?.stats() ?? NOTHING };
  }

  /** Decisions go together: each event can bring one. */
  #decided(decision: Decision): void {
    if (this.#decisions.push(decision) === 1) queueMicrotask(() => this.#tell());
  }

  #tell(): void {
    const decisions = this.#decisions;
    this.#decisions = [];
    if (decisions.length > 0) this.#port.postMessage({ kind: "decisions", decisions } satisfies Sent);
  }

  #post(sent: Sent, transfer: Transferable[] = []): void {
    this.#tell();
    this.#port.postMessage(sent, transfer);
  }

  #over(error: unknown): void {
    const { stats } = this.#standings();
    this.#post({ kind: "over", stats, ...faultOf(error) });
  }
}

function faultOf(error: unknown): { fault?: PackedFault; error?: string } {
  if (error === undefined) return {};
  return error instanceof TidemarkError ? { fault: packedFault(error) } : { error: messageOf(error) };
}

/** The app says in the page what it has applied; here is only what was asked about last. */
class FarMarks extends Marks {
  asked: Applied | undefined;
  /** Lots of items that went out. */
  #sent = 0;
  /** The newest state of each session, and the lot it went out with. */
  readonly #states = new Map<string, { item: Item; lot: number }>();

  override coming(item: Item): void {
    if (item.kind === "state") this.#states.set(item.session, { item, lot: Infinity });
  }

  override reset(session: string): void {
    this.#states.delete(session);
  }

  /** A lot goes out. */
  sends(items: readonly Item[]): void {
    this.#sent++;
    for (const item of items) {
      const state = this.#states.get(item.session);
      if (state?.item === item) state.lot = this.#sent;
    }
  }

  /** Whether the page has all states that the core has: else its numbers are of one before. */
  tells({ session, heard }: { session: string; heard: number }): boolean {
    return heard >= (this.#states.get(session)?.lot ?? 0);
  }

  override doubtful(): boolean {
    return false;
  }

  override applied(): Applied | undefined {
    return this.asked;
  }
}

/** Says what has changed since it was asked, and begins where a stream stood before. */
class MovingStanding extends Standing {
  readonly #changed = new Map<string, Place>();
  #resumed: boolean;

  constructor(settings: Settings<unknown>, resume: Resume | undefined) {
    super(settings);
    this.#resumed = resume !== undefined;
    if (!resume) return;
    super.moved(new Map(resume.places.map((place) => [place.session, place])));
    for (const session of resume.gone) this.left(session);
    this.starts = resume.starts;
  }

  /** A stream that goes on has no first link. */
  override first(): ReturnType<Standing["first"]> {
    const resumed = this.#resumed;
    this.#resumed = false;
    return resumed ? this.again() : super.first();
  }

  override moved(places: ReadonlyMap<string, Place>): void {
    super.moved(places);
    for (const [session, place] of places) this.#changed.set(session, place);
  }

  news(): Resume {
    const places = [...this.#changed.values()];
    this.#changed.clear();
    return { places, gone: this.names().filter((session) => this.gone(session)), starts: this.starts };
  }
}
