// The server behind the worker, on this machine. What it answers about a session is a list of answers, one for each connection;
// it remembers what it was asked, and how each connection ended.
import { createServer } from "node:http";

/** What a connection can end with: the worker left before the answer was whole, or the answer was sent. */
export const LEFT = "left";
export const SENT = "sent";

export class Upstream {
  #server;
  #sessions = new Map();

  /** Starts it on a free port. */
  static async start() {
    const upstream = new Upstream();
    upstream.#server = createServer((request, response) => upstream.#answer(request, response)).listen(0, "127.0.0.1");
    await new Promise((resolve) => upstream.#server.once("listening", resolve));
    upstream.url = `http://127.0.0.1:${upstream.#server.address().port}`;
    return upstream;
  }

  /** Answers about a session from here on. `answers` are functions of the connection, in turn; the last one stays. */
  serve(session, ...answers) {
    const connections = [];
    this.#sessions.set(session, { answers, connections });
    return connections;
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request, response) {
    const { pathname, searchParams } = new URL(request.url, this.url);
    const served = this.#sessions.get(decoded(pathname.split("/")[3] ?? ""));
    if (!served) return void response.writeHead(404).end();
    const connection = new Connection(request, response, searchParams);
    served.connections.push(connection);
    const answer = served.answers.length > 1 ? served.answers.shift() : served.answers[0];
    await answer(connection);
  }
}

/** A session by its name in the path; one whose name is broken is none. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** One request and what becomes of it. */
export class Connection {
  constructor(request, response, query) {
    Object.assign(this, { request, response, query, headers: request.headers, path: request.url.split("?")[0] });
    /** Resolves with how it ended. */
    this.ended = new Promise((resolve) => response.once("close", () => resolve(response.writableFinished ? SENT : LEFT)));
  }

  open(status = 200, headers = { "content-type": "text/event-stream" }) {
    this.response.writeHead(status, headers);
    this.response.flushHeaders();
  }

  /** Sends bytes, as fast as they are taken. False: nobody takes them any more. */
  async send(bytes) {
    const { response } = this;
    if (!response.destroyed && !response.write(bytes)) {
      await Promise.race([this.ended, new Promise((resolve) => response.once("drain", resolve))]);
    }
    return !response.destroyed;
  }

  end() {
    this.response.end();
  }

  /** Breaks in the middle, once everything that was sent is on its way. */
  async cut() {
    await new Promise((resolve) => this.response.write("", resolve));
    this.response.socket?.resetAndDestroy();
  }
}

/** An answer that sends these chunks, each by itself, and ends. */
export function stream(...chunks) {
  return async (connection) => {
    connection.open();
    for (const chunk of chunks) if (!(await connection.send(chunk))) return;
    connection.end();
  };
}

/** As stream(), but the connection is held open behind the chunks. */
export function held(...chunks) {
  return async (connection) => {
    connection.open();
    for (const chunk of chunks) if (!(await connection.send(chunk))) return;
  };
}

/** As stream(), but the connection breaks behind the chunks. */
export function broken(...chunks) {
  return async (connection) => {
    connection.open();
    for (const chunk of chunks) if (!(await connection.send(chunk))) return;
    await connection.cut();
  };
}

/** An answer that is no stream. */
export function plain(status, headers, body) {
  return (connection) => {
    connection.open(status, headers);
    connection.response.end(body);
  };
}
