// Runs every check, one after the other, and says what came out: plain data that can be sent anywhere.
import { init } from "../../../dist/index.js";
import { Server } from "./follow.mjs";
import { beside } from "./beside.mjs";
import { edge } from "./edge.mjs";
import { edgeServed } from "./served.mjs";
import { live } from "./live.mjs";
import { sources } from "./sources.mjs";
import { transcripts } from "./transcripts.mjs";

const CHECKS = { ...live, ...beside, ...sources, ...edge, ...edgeServed, ...transcripts };

/** `got` of each check by name, or `error` where it threw. `name` keeps the runs of several engines apart. */
export async function runChecks(server, pages, name) {
  Math.random = () => 0; // takes the lot out of back-offs: nothing waits longer than the protocol makes it
  await init();
  const results = {};
  for (const [title, check] of Object.entries(CHECKS)) {
    try {
      results[title] = { got: await check(new Server(server, pages, `${name}-${title}`)) };
    } catch (error) {
      results[title] = { error: String(error?.stack ?? error) };
    }
  }
  return results;
}
