import { seqOf, type SessionEvent } from "./record.js";
import type { Side } from "./side.js";
import { fetchTranscript, type Session } from "./urls.js";

/** How the line to the server is: nothing yet, a request under way, open, lost, or given up. */
export type Line = "new" | "connecting" | "open" | "broken" | "over";

/**
 * The left half: a session page as most are written today. It loads the transcript, opens the browser's own EventSource
 * behind it, and shows what comes. The browser reconnects by itself, with the last id it saw.
 */
export class PlainReader {
  readonly side: Side;
  line: Line = "new";
  /** What the browser told the page, newest last. */
  readonly told: string[] = [];
  readonly #session: Session;
  #source: EventSource | undefined;
  #stop = new AbortController();

  constructor(session: Session, side: Side) {
    this.#session = session;
    this.side = side;
  }

  async start(): Promise<void> {
    this.close();
    const stop = (this.#stop = new AbortController());
    try {
      const transcript = await fetchTranscript(this.#session.transcriptUrl, stop.signal);
      if (stop.signal.aborted) return;
      this.side.reset(transcript);
      this.#open(seqOf(transcript.cursor));
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
  }

  close(): void {
    this.#stop.abort();
    this.#source?.close();
    this.#source = undefined;
    this.line = "new";
  }

  #open(since: number): void {
    const source = (this.#source = new EventSource(`${this.#session.plainUrl}?since=${since}`));
    source.onopen = () => this.#tell("open", "open");
    source.onerror = () => this.#tell("error", source.readyState === EventSource.CLOSED ? "over" : "broken");
    source.onmessage = ({ data }) => this.side.show(JSON.parse(data) as SessionEvent);
  }

  #tell(word: string, line: Line): void {
    this.line = line;
    this.told.push(word);
    if (this.told.length > 6) this.told.shift();
  }
}
