import { known, seqOf, type SessionEvent } from "./record.js";
import type { River } from "./river.js";
import { Screen, type Transcript } from "./screen.js";
import { Writing } from "./writing.js";

/** What one half of the page shows. Both halves are built of this; only their readers differ. */
export class Side {
  readonly screen = new Screen();
  readonly writing = new Writing();
  readonly river: River;
  readonly session: string;

  constructor(session: string, river: River) {
    this.session = session;
    this.river = river;
  }

  reset(transcript: Transcript): void {
    this.screen.reset(transcript, performance.now());
    this.river.reset(transcript, seqOf(transcript.cursor));
    this.writing.clear();
  }

  /** Shows an event as it came. Events of child sessions are the business of their own pages. */
  show(event: SessionEvent): void {
    if (event.sessionId !== undefined && event.sessionId !== this.session) return;
    this.screen.add(event, performance.now());
    if (!this.writing.add(event)) this.river.add(event, known(event).print);
    this.river.write(this.writing.now);
  }

  /** The log is another one from this seq on. */
  changed(from: number): void {
    this.screen.changed(from);
    this.river.changed(from);
  }

  /** Nothing is shown any more. */
  clear(): void {
    this.screen.clear();
    this.writing.clear();
    this.river.clear();
  }

  restart(): void {
    this.writing.restart();
    this.river.write(undefined);
  }
}
