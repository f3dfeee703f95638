// What it costs to read a whole log in the module of the inspector, with and without the digest.
//
//   npm run bench:inspect         RECORDS=200000 ROUNDS=5
//
// Records of 500 bytes are made on the fly and are not in the time. Beside each rate stands that by processor time,
// which says what one core does when others want it too.
import assert from "node:assert/strict";
import { loadavg } from "node:os";
import { OF, TEXT } from "../dist/gen/seam.gen.js";
import { full } from "../dist/inspector/module.js";

const setting = (name, value) => Number(process.env[name] ?? value);
const RECORDS = setting("RECORDS", 200_000);
const ROUNDS = setting("ROUNDS", 5);
const PER_CHUNK = 500;

const filler = "The quick brown fox jumps over the lazy dog. ".repeat(12);
const encoder = new TextEncoder();

function record(seq) {
  const kinds = {
    500: `decision_requested","turnId":"t1","decisionId":"d","checkpointId":"c","request":{"type":"tool_review"}`,
    501: `decision_resolved","turnId":"t1","decisionId":"d","decision":{"action":"approve_tools"},"resolvedBy":{"kind":"user"}`,
  };
  const kind = kinds[seq % 1000] ?? `tool_call_completed","turnId":"t1","toolCallId":"call_0001","iteration":12,"ok":true`;
  const start = `{"v":1,"type":"${kind},"seq":${seq},"gen":3,"ts":"2026-01-01T00:00:01.000Z","result":{"exitCode":0,"text":"`;
  return `${start}${filler.slice(0, 500 - start.length - 4)}"}}\n`;
}

const chunkFrom = (first) => encoder.encode(Array.from({ length: PER_CHUNK }, (_, i) => record(first + i)).join(""));

/** One log; answers bytes, and the seconds and processor seconds that the module took. */
function run(module, digest) {
  const handle = module.open(JSON.stringify({ digest }));
  let bytes = 0, wall = 0, cpu = 0;
  for (let first = 1; first <= RECORDS; first += PER_CHUNK) {
    const chunk = chunkFrom(first);
    const began = performance.now(), before = process.cpuUsage();
    module.write(handle, OF.log, chunk);
    const { user, system } = process.cpuUsage(before);
    wall += (performance.now() - began) / 1e3;
    cpu += (user + system) / 1e6;
    bytes += chunk.length;
  }
  module.end(handle);
  assert.equal(module.list(handle, TEXT.parks).length, 1);
  module.close(handle);
  return { wall: bytes / wall / 1e6, cpu: bytes / cpu / 1e6 };
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];
const module = await full.ready();
const rounds = Array.from({ length: ROUNDS }, () => ({ digest: run(module, true), plain: run(module, false) }));
console.log(`${RECORDS.toLocaleString("en")} records of 500 bytes, ${ROUNDS} rounds, load ${loadavg()[0].toFixed(1)}`);
for (const name of ["digest", "plain"]) {
  const of = (kind) => median(rounds.map((round) => round[name][kind])).toFixed(0);
  console.log(`${name.padEnd(8)} ${of("wall").padStart(5)} MB/s   ${of("cpu").padStart(5)} MB/s of processor time`);
}
