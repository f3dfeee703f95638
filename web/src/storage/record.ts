/**
 * A state and the cursor it stands at, saved as one value: neither is of use without the other, so there is no
 * record that lacks one. All members are plain, so that a record can be a row of any store; where it was kept does not
 * matter as long as every member comes back as it was.
 */
export interface SnapshotRecord {
  /** Where the store keeps it: made of the members below. */
  readonly key: string;
  /** Version of this form. */
  readonly format: number;
  readonly session: string;
  /** Whose data it is; "" where there is only one. */
  readonly tenant: string;
  /** What of the session was asked for: a place found under one filter skips events of another. */
  readonly scope: string;
  /** Who has the state: all tabs of the origin together, or one tab. */
  readonly owner: "origin" | "tab";
  /** Counts the states that did not follow from the one before: each load after a refusal and each reset begins a new one. */
  readonly epoch: number;
  /** Token of the last event that the state holds. */
  readonly cursor: string;
  /** What shows that the log is still the same one, 32 hex digits; "" without. */
  readonly proof: string;
  /** The state as JSON. */
  readonly state: string;
  /** Of all that stands above. Two records with the same one are the same. */
  readonly check: string;
}

/** The version that is written, and the only one that is read. */
export const FORMAT = 1;

/** The members that the check covers, in its order. The state is the last one: it alone may hold a line end. */
const COVERED = ["format", "key", "session", "tenant", "scope", "owner", "epoch", "cursor", "proof", "state"] as const;

/** What a record has to be of. */
export type SnapshotParts = Pick<SnapshotRecord, "session" | "tenant" | "scope" | "owner">;

/** A record with its check. */
export function sealed(record: Omit<SnapshotRecord, "check">): SnapshotRecord {
  return { ...record, check: checkOf(record) };
}

/** Why a record cannot be used for these parts; undefined: it can. The value is one of a closed list, never content. */
export function unusable(record: SnapshotRecord, key: string, parts: SnapshotParts): string | undefined {
  if (typeof record !== "object" || record === null) return "no record";
  if (record.format !== FORMAT) return "another version";
  if (!COVERED.every((name) => typeof record[name] === KINDS[name])) return "a member is missing";
  if (record.check !== checkOf(record)) return "damaged";
  for (const name of ["session", "tenant", "scope", "owner"] as const) if (record[name] !== parts[name]) return `another ${name}`;
  return record.key === key ? undefined : "another key";
}

const KINDS: Record<(typeof COVERED)[number], string> = {
  format: "number", key: "string", session: "string", tenant: "string", scope: "string", owner: "string",
  epoch: "number", cursor: "string", proof: "string", state: "string",
};

function checkOf(record: Omit<SnapshotRecord, "check">): string {
  return fnv1a(COVERED.map((name) => record[name]).join("\n"));
}

const utf8 = new TextEncoder();

/** FNV-1a of 64 bits over UTF-8, as 16 hex digits. Finds damage; keeps nobody out who can write to the store. */
export function fnv1a(text: string): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  const bytes = utf8.encode(text);
  for (let i = 0; i < bytes.length; i++) {
    // Times 2^40 + 0x1b3, in halves of 32 bits.
    const mixed = (low ^ bytes[i]!) >>> 0;
    const product = mixed * 0x1b3;
    high = (Math.imul(high, 0x1b3) + (mixed << 8) + Math.floor(product / 2 ** 32)) >>> 0;
    low = product >>> 0;
  }
  return hex(high) + hex(low);
}

const hex = (word: number) => word.toString(16).padStart(8, "0");
