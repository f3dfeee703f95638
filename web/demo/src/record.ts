/** An event of the session, as both readers and the log hand it over. Members that the page does not use stay unread. */
export interface SessionEvent {
  type: string;
  sessionId?: string;
  seq?: number;
  generation?: number | string;
  [member: string]: unknown;
}

/** What a comparison needs to know of a recorded event: its content by a print, and the ids that a transcript uses. */
export interface Known {
  print: number;
  type: string;
  message?: string;
  tool?: string;
}

/** The same members in the same order make the same print; the order is the log's own everywhere. */
export function known(event: SessionEvent): Known {
  const { type } = event;
  const message = text(event.messageId) ?? text(event.targetMessageId);
  const tool = text(event.toolUseId);
  return { print: print(JSON.stringify(event)), type, ...(message && { message }), ...(tool && { tool }) };
}

/** The seq in a cursor token, `session:seq` or `session:seq@generation`. */
export function seqOf(token: string): number {
  return Number(/:(\d+)(@[^@:]*)?$/.exec(token)?.[1] ?? 0);
}

export function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** 52 bits of a text: two FNV-like lanes, mixed at the end. Not against anybody, only against chance. */
function print(text: string): number {
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 13);
  }
  a = Math.imul(a ^ (a >>> 16), 0xc2b2ae35) ^ (b >>> 15);
  b = Math.imul(b ^ (b >>> 16), 0x27d4eb2f) ^ (a >>> 13);
  return (b >>> 0) * 2 ** 20 + ((a >>> 0) & 0xfffff);
}
