import { usable } from "../driver.js";
import { messageOf, TidemarkError } from "../errors.js";
import { headersOf, type GiveHeaders, type HeadersRequest } from "../headers.js";
import type { Load, LoadRequest } from "../settings.js";
import { isObject } from "../takes.js";
import type { Question, Told } from "./messages.js";
import { revivedFault, Thrown, type PackedFault } from "./pack.js";

type Answer = Omit<Told & { kind: "answer" }, "kind" | "id">;

/**
 * The app's half of a stream in a worker: its functions run in the page, states and what was thrown stay there, and the
 * worker gets numbers for them.
 */
export class App<S> {
  readonly #load: Load<S> | undefined;
  readonly #headers: GiveHeaders | undefined;
  readonly #running = new Map<number, AbortController>();
  readonly #states = new Map<number, { session: string; state: S }>();
  readonly #thrown = new Map<number, unknown>();
  #last = 0;

  constructor(load: Load<S> | undefined, headers: GiveHeaders | undefined) {
    this.#load = load;
    this.#headers = headers;
  }

  /** Answers a question of the worker; undefined: it was given up meanwhile. */
  async answer(id: number, question: Question): Promise<Answer | undefined> {
    const running = new AbortController();
    this.#running.set(id, running);
    const answer = await this.#call(question, running.signal).catch((error: unknown) => ({ thrown: this.#keep(error) }));
    return this.#running.delete(id) ? answer : undefined;
  }

  #call(question: Question, signal: AbortSignal): Promise<Answer> {
    return question.what === "load" ? this.#loaded(question.request, signal) : this.#given(question.request);
  }

  /** The signal of a load says that nobody wants it any more. */
  abandon(id: number): void {
    this.#running.get(id)?.abort();
    this.#running.delete(id);
  }

  abandonAll(): void {
    for (const id of [...this.#running.keys()]) this.abandon(id);
  }

  /** Keeps a state here, and answers the number that stands for it. */
  keep(state: S, session = ""): number {
    this.#states.set(++this.#last, { session, state });
    return this.#last;
  }

  /** The state that a number stands for, once. */
  claim(ticket: number): S {
    const { state } = this.#states.get(ticket)!;
    this.#states.delete(ticket);
    return state;
  }

  /** A fault of the worker, with what the app threw as its cause. */
  fault(packed: PackedFault): TidemarkError {
    return this.blame(revivedFault(packed));
  }

  blame(fault: TidemarkError): TidemarkError {
    const { cause } = fault;
    if (cause instanceof Thrown) Object.defineProperty(fault, "cause", { value: this.#thrown.get(cause.number), configurable: true, writable: true });
    return fault;
  }

  async #loaded(request: Omit<LoadRequest, "signal">, signal: AbortSignal): Promise<Answer> {
    for (const [ticket, { session }] of this.#states) if (session === request.session) this.#states.delete(ticket); // it came to nothing
    const { state, cursor } = usable(await this.#load!({ ...request, signal }));
    return { value: { state: this.keep(state, request.session), cursor } };
  }

  /** Headers as pairs. What are none stays so, for the worker to say what is wrong with it. */
  async #given(request: HeadersRequest): Promise<Answer> {
    const given = await this.#headers!(request);
    try {
      return { value: [...headersOf(given)] };
    } catch {
      return { value: isObject(given) || ["function", "symbol"].includes(typeof given) ? { " ": "" } : given };
    }
  }

  #keep(error: unknown): { number: number; message: string } {
    this.#thrown.set(++this.#last, error);
    return { number: this.#last, message: messageOf(error) };
  }
}
