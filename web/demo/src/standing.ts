import type { Phase, StreamState } from "tidemark";

/** How something stands: the stream's own word, and that word for a reader. */
export interface Standing {
  state: string;
  text: string;
}

/** The connection, with the time that is left of a wait. */
export function connectionWords(stream: StreamState | undefined, now: number): Standing {
  const { connection: state, attempt, retryAt } = stream ?? { connection: "idle", attempt: 0, retryAt: undefined };
  if (state !== "waiting") return { state, text: state };
  const left = retryAt === undefined || retryAt <= now ? "" : ` ${((retryAt - now) / 1000).toFixed(1)} s`;
  return { state, text: `waiting${left}${attempt > 1 ? `, attempt ${attempt}` : ""}` };
}

/** The session. One that waits does so for the word of a connection that it goes on where it stopped. */
export function phaseWords(phase: Phase = "waiting"): Standing {
  return { state: phase, text: phase === "waiting" ? "to be joined" : phase };
}
