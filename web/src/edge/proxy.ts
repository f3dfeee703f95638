import { invalid } from "../takes.js";
import type { Decision } from "../verdicts.js";
import { tell } from "../watch.js";
import { askedBy } from "./asked.js";
import { ready, running } from "./core.js";
import { Exchange, hasLog, type ExchangeOptions } from "./exchange.js";
import { History, PAGE_SIZE, type HistoryOptions } from "./history.js";
import { Memory, type MemoryOptions } from "./memory.js";
import { checked, type Asked, type Judging } from "./options.js";
import type { RelayOptions } from "./passage.js";
import { answerTo, asAnswered, canPass } from "./reply.js";
import { relayed, relayOptions } from "./validate.js";

/** `upstream` is the server that is asked, with the path and query of the request behind its own path. */
export interface ProxyOptions extends Judging, ExchangeOptions {
  /** Says what a request asks for. Default: as docs/protocol.md has it, from path, query and Last-Event-ID. */
  asks?: (request: Request) => Asked;
  /** Answers what is old from pages that are kept. */
  history?: HistoryOptions;
  /** Remembers where consumers stand that name no start themselves. */
  memory?: MemoryOptions;
  /** Is handed what is still to be done when a consumer has left: `(done) => ctx.waitUntil(done)` in a Worker. */
  waitUntil?: (done: Promise<unknown>) => void;
}

const OPTIONS = ["profile", "mode", "maxFrame", "onVerdict", "upstream", "fetch", "headers", "asks", "history", "memory", "waitUntil"] as const;

/**
 * The whole worker: asks the server for what its consumer asks for, and answers what `validate` makes of that. The consumer's
 * Authorization and Cookie pass; its leaving ends the request to the server. One that gives no answer is a 502 with a problem
 * document.
 *
 * Throws `stream.invalid_options` for options that nobody can follow.
 */
export async function proxy(request: Request, options: ProxyOptions): Promise<Response> {
  if (typeof (request as Request | undefined)?.url !== "string") throw invalid("request", "a Request", request);
  const { upstream, asks, memory: remembers } = checked(options, ...OPTIONS);
  if (upstream === undefined) throw invalid("upstream", "an absolute http or https URL", upstream);
  await ready();
  if (request.method === "OPTIONS") return preflight(new Exchange(request, options));
  const asked = asks ? relayOptions(asks(request)) : askedBy(request);
  const memory = remembers && (await Memory.of(remembers, request, asked));
  return new Proxying(request, options, memory).answer(judgedFrom(request, asked, memory, options));
}

/** What a browser asks before it asks for a stream is between it and the server. */
async function preflight(exchange: Exchange): Promise<Response> {
  const answer = await exchange.first(undefined).catch(() => undefined);
  return answer && canPass(answer) ? asAnswered(answer) : answerTo(running(), answer, asAnswered);
}

/** The options of a relay for what is asked, from where that starts. */
function judgedFrom(request: Request, asked: RelayOptions, memory: Memory | undefined, options: ProxyOptions): RelayOptions {
  const { profile, mode, maxFrame, onVerdict, history } = options;
  return {
    ...asked,
    ...relayOptions({ profile, mode, maxFrame } as Judging),
    ...((onVerdict || memory) && { verdicts: true }),
    ...(memory?.start !== undefined && { cursors: [memory.start] }),
    ...(history && hasLog(request) && { pageSize: history.pageSize ?? PAGE_SIZE }),
  };
}

/** One request on its way. */
class Proxying {
  readonly #options: ProxyOptions;
  readonly #memory: Memory | undefined;
  readonly #exchange: Exchange;
  readonly #history: History | undefined;

  constructor(request: Request, options: ProxyOptions, memory: Memory | undefined) {
    const { history } = options;
    this.#options = options;
    this.#memory = memory;
    this.#exchange = new Exchange(request, options);
    this.#history = history && new History(history, this.#exchange);
  }

  async answer(asked: RelayOptions): Promise<Response> {
    const answer = await this.#exchange.first(this.#memory?.start).catch(() => undefined);
    return relayed(answer, asked, {
      signal: this.#exchange.signal, beyond: this.#history, onVerdict: this.#watcher(), settled: () => this.#settle(),
    });
  }

  #watcher(): ((decision: Decision) => unknown) | undefined {
    const { onVerdict } = this.#options;
    const memory = this.#memory;
    return memory ? (decision) => (memory.note(decision), onVerdict?.(decision)) : onVerdict;
  }

  /** Nothing more comes of the stream: what it has left to do is done, and nobody is asked for anything any more. */
  async #settle(): Promise<void> {
    this.#exchange.end();
    const done = Promise.all([this.#history?.settled(), this.#memory?.settled()]);
    const { waitUntil } = this.#options;
    if (waitUntil) tell(waitUntil, done);
    else await done;
  }
}
