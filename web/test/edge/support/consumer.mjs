// Whoever asks the worker: reads an answer to the last byte, and can leave in the middle.
import { Agent, request } from "node:http";

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

/** Asks; `path` is sent as it is. Resolves with the answer as soon as its head is there. */
export function ask(url, { method = "GET", path, headers = {}, body, asking = () => {} } = {}) {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent, ...(path && { path }) });
    asking(asked);
    asked.once("error", reject);
    asked.once("response", (response) => {
      asked.off("error", reject).on("error", () => {});
      resolve(new Answer(asked, response));
    });
    asked.end(body);
  });
}

/**
 * Breaks a connection off, as a network that is gone does. One that is only closed is half open for a server, which notices
 * when it writes the next time.
 */
export const breakOff = ({ socket }) => socket.resetAndDestroy();

export class Answer {
  #request;
  #parts = [];
  #waiting = [];

  constructor(request, response) {
    this.#request = request;
    this.status = response.statusCode;
    this.headers = response.headers;
    this.length = 0;
    /** Resolves with whether the answer came to its end. */
    this.whole = new Promise((resolve) => response.once("close", () => resolve(response.complete)));
    response.on("error", () => {});
    response.on("data", (part) => this.#take(part));
    this.whole.then(() => this.#wake(true));
  }

  /** What has come. */
  get bytes() {
    return Buffer.concat(this.#parts);
  }

  get text() {
    return this.bytes.toString("utf8");
  }

  /** Resolves once that many bytes have come, or nothing more will. */
  reached(length) {
    return new Promise((resolve) => {
      this.#waiting.push({ length, resolve });
      this.#wake(false);
    });
  }

  leave() {
    breakOff(this.#request);
  }

  close() {
    this.#request.destroy();
  }

  #take(part) {
    this.#parts.push(part);
    this.length += part.length;
    this.#wake(false);
  }

  #wake(over) {
    const ready = ({ length }) => over || this.length >= length;
    for (const { resolve } of this.#waiting.filter(ready)) resolve();
    this.#waiting = this.#waiting.filter((waiting) => !ready(waiting));
  }
}
