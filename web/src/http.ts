import type { Connection } from "./connection.js";
import { type GiveHeaders, headersFrom } from "./headers.js";
import { Pending } from "./pending.js";
import { misfit } from "./pieces.js";
import { addressOf } from "./request.js";
import { isResponse, ResponseBody } from "./response.js";
import type { Start } from "./rows.js";

/** What every request of one stream has in common. */
export interface Requests {
  url: URL;
  fetch: typeof fetch;
  headers: Headers | GiveHeaders;
  credentials: RequestCredentials | undefined;
}

/** Makes the connections of a stream over fetch. */
export class HttpSource {
  readonly #common: Requests;
  #renewed: Headers | undefined;

  constructor(common: Requests) {
    this.#common = common;
  }

  /** Asks at once. Headers that were renewed go with one request, and with the next one the app is asked again. */
  connect(starts: readonly Start[], attempt: number): Connection {
    const { url, headers } = this.#common;
    const address = addressOf(url, starts);
    const renewed = this.#renewed;
    this.#renewed = undefined;
    const sent = renewed ?? headersFrom(headers, { url: address, attempt });
    return new Pending((signal) => ask(this.#common, address, sent, signal));
  }

  /** Asks the app for headers that the server takes. */
  async renew(starts: readonly Start[], attempt: number, status: 401 | 403): Promise<void> {
    const { url, headers } = this.#common;
    this.#renewed = await headersFrom(headers, { url: addressOf(url, starts), attempt, status });
  }
}

/** One request. Headers that are there are sent in this very call. */
async function ask({ fetch, credentials }: Requests, address: string, given: Headers | Promise<Headers>, signal: AbortSignal): Promise<Connection> {
  const headers = given instanceof Headers ? given : await given;
  signal.throwIfAborted();
  const response: unknown = await fetch(address, { headers, cache: "no-store", signal, ...(credentials && { credentials }) });
  if (isResponse(response)) return new ResponseBody(response, "fetch");
  throw misfit("fetch", "a function that answers a Response", response);
}
