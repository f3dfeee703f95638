// The whole chain: a client of the package, the worker in workerd, and the server that misbehaves on purpose. What a consumer comes
// to is what it comes to without the worker: the same checks, and the same expectations, as in every engine.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Server } from "../engines/checks/follow.mjs";
import { live } from "../engines/checks/live.mjs";
import { expected } from "../engines/expected.mjs";
import { serveFaults } from "../engines/support/faults.mjs";
import { serveWorker } from "./support/workerd.mjs";
import { workers } from "./support/workers.mjs";

const bound = { timeout: 120_000 };
Math.random = () => 0; // takes the lot out of back-offs: nothing waits longer than the protocol makes it

/** What is different behind a worker. */
const through = {
  // The page goes no further. What is no stream is 502, and a server that has no answer is asked again.
  "a page in place of a stream": expected["an honest server"].filter((line) => !line.startsWith("draft ")),
};

/** Needs a Worker of the engine, which Node has not. */
const NOT_HERE = ["in a worker of the package"];

/** The server, with its streams behind the worker. */
class Behind extends Server {
  #from;
  #to;

  constructor(server, worker, name) {
    super(server, undefined, name);
    [this.#from, this.#to] = [server, worker];
  }

  events(session, fault) {
    return super.events(session, fault).replace(this.#from, this.#to);
  }
}

for (const [name, workerFor] of Object.entries(workers)) {
  describe(name, { concurrency: 8 }, () => {
    let faults, worker;
    before(async () => {
      faults = await serveFaults();
      worker = await serveWorker(await workerFor(faults.url));
    });
    after(async () => {
      await worker?.stop();
      await faults?.stop();
    });
    for (const [title, check] of Object.entries(live).filter(([title]) => !NOT_HERE.includes(title))) {
      test(title, bound, async () => {
        const got = await check(new Behind(faults.url, worker.url, `${name} ${title}`));
        assert.deepEqual(got, through[title] ?? expected[title]);
      });
    }
  });
}
