import type { Transcript } from "./screen.js";

/** What the server says about a session that is live. */
export interface Session {
  id: string;
  eventsUrl: string;
  plainUrl: string;
  logUrl: string;
  transcriptUrl: string;
  faultsUrl: string;
  faults: string[];
}

/** A session whose turns wait for people. */
export interface Desk extends Session {
  /** The type of what it asks. */
  asks: string;
}

/** The sessions there are: one whose writers hold a lease, one of writers without, and those that ask. */
export interface Sessions extends Session {
  unfenced: Session;
  asking: [Desk, ...Desk[]];
}

export async function fetchJSON<T>(url: string, init?: RequestInit): Promise<T> {
  const response = await fetch(url, { cache: "no-store", ...init });
  if (!response.ok) throw Object.assign(new Error(`${url} answered ${response.status}`), { status: response.status });
  return (await response.json()) as T;
}

/** The folded state and its cursor. A server that is away is waited for. */
export async function fetchTranscript(url: string, signal: AbortSignal): Promise<Transcript> {
  for (;;) {
    try {
      return await fetchJSON<Transcript>(url, { signal });
    } catch (error) {
      if (signal.aborted) throw error;
      await pause(1000);
    }
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
