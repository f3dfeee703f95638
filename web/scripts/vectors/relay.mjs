// Cases of bytes that pass through a relay.
import { about, chunksOf, cuttings } from "./cases.mjs";

export const relay = {
  keys: {
    ...about,
    input: {
      chunks: true, encoding: true,
      options: { sessions: true, cursors: true, from: true, lastEventId: true, profile: true, mode: true, maxFrame: true },
    },
    expected: { out: true, ends: true, status: true, code: true },
  },
  wanted: ({ expected }) => [expected],
  async run({ input }, backend) {
    const results = [];
    for (const chunks of cuttings(chunksOf(input))) results.push(await backend.relay(input.options, chunks));
    const [first, ...others] = results;
    const differs = others.find((other) => JSON.stringify(other) !== JSON.stringify(first));
    return differs ? { differsWhenCutAnew: differs } : first;
  },
};
