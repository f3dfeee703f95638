/** What a link has to know of an answer. The body only of one that is no stream, shortened. */
export interface Answer {
  status: number;
  contentType: string;
  retryAfterMs?: number;
  body?: string;
}

/**
 * One connection, of whatever kind: a request and its body, or bytes from elsewhere. `close()` may come at any time, also
 * twice; what comes after it is dropped. Failures are breaks, which the link mends; a TidemarkError ends the stream.
 */
export interface Connection {
  /** What is known before the first byte. Asked for once. */
  answer(): Promise<Answer>;
  /** The next chunk; undefined at the end. Asked for one at a time, and only when there is room for it. */
  read(): Promise<Uint8Array | undefined>;
  close(): void;
}
