import { TidemarkError, type Fault } from "../errors.js";
import { Page, PageItem, type EndItem, type Item } from "../items.js";

/** Numbers of one event: flags, session, type, seq, generation, where its text begins, its length. */
const COLUMNS = 7;
const EVENT = 1;
const ASCII = 2;
const NONE = -1;

/**
 * Items on their way to another thread. Numbers and text of all events are in one buffer, because each buffer that changes
 * threads costs the other one more when it is let go of than the bytes in it.
 */
export interface Packed {
  /** COLUMNS numbers for each item, then the text. Items that are no events have flags NONE and stand in `others`, in order. */
  bytes: Uint8Array<ArrayBuffer>;
  count: number;
  names: string[];
  others: PackedOther[];
}

type PackedOther = Exclude<Item, { kind: "event" | "draft" | "end" }> | (Omit<EndItem, "fault"> & { fault?: PackedFault });

/** A fault as plain data. Its cause is a thing of the thread where it was thrown: a number says which one. */
export interface PackedFault {
  fault: Fault;
  thrown?: number;
}

/** Packs items. `bytes` is to be transferred. */
export function pack(items: readonly Item[]): Packed {
  const starts = startsOf(items);
  const bytes = new Uint8Array(items.length * COLUMNS * 8 + starts.size);
  const table = new Float64Array(bytes.buffer, 0, items.length * COLUMNS);
  const names = new Numbers<string>();
  const others: PackedOther[] = [];
  for (const [page, at] of starts.pages) bytes.set(page.bytes, table.byteLength + at);
  items.forEach((item, i) => {
    if (item instanceof PageItem) return writeEvent(table.subarray(i * COLUMNS), item, names, starts.pages);
    table[i * COLUMNS] = NONE;
    others.push(plain(item as Exclude<Item, { kind: "event" | "draft" }>));
  });
  return { bytes, count: items.length, names: names.list, others };
}

/** Where the text of each page will begin behind the table. */
function startsOf(items: readonly Item[]): { pages: Map<Page, number>; size: number } {
  const pages = new Map<Page, number>();
  let size = 0;
  for (const item of items) {
    if (!(item instanceof PageItem)) continue;
    const { page } = PageItem.place(item);
    if (!pages.has(page)) [, size] = [pages.set(page, size), size + page.size];
  }
  return { pages, size };
}

function writeEvent(row: Float64Array, item: PageItem<unknown>, names: Numbers<string>, pages: Map<Page, number>): void {
  const { page, at, length, ascii } = PageItem.place(item);
  const { kind, session, type, seq = NONE, generation } = item;
  row[0] = (kind === "event" ? EVENT : 0) | (ascii ? ASCII : 0);
  row[1] = names.of(session);
  row[2] = names.of(type);
  row[3] = seq;
  row[4] = generation === undefined ? NONE : names.of(generation);
  row[5] = pages.get(page)! + at - page.at;
  row[6] = length;
}

/** The items again, over the same bytes. */
export function unpack<E>({ bytes, count, names, others }: Packed): Item<E>[] {
  const table = new Float64Array(bytes.buffer, 0, count * COLUMNS);
  const page = new Page(bytes.subarray(table.byteLength), 0);
  const items: Item<E>[] = [];
  let other = 0;
  for (let i = 0; i < table.length; i += COLUMNS) {
    items.push(table[i] === NONE ? (revived(others[other++]!) as Item<E>) : readEvent<E>(table, i, names, page));
  }
  return items;
}

function readEvent<E>(table: Float64Array, i: number, names: readonly string[], page: Page): Item<E> {
  const flags = table[i]!;
  const item = new PageItem<E>(
    (flags & EVENT) !== 0 ? "event" : "draft", names[table[i + 1]!]!, names[table[i + 2]!]!,
    page, table[i + 5]!, table[i + 6]!, (flags & ASCII) !== 0,
  );
  if (table[i + 3] !== NONE) item.seq = table[i + 3]!;
  if (table[i + 4] !== NONE) item.generation = names[table[i + 4]!]!;
  return item as Item<E>;
}

function plain(item: Exclude<Item, { kind: "event" | "draft" }>): PackedOther {
  if (item.kind !== "end" || !item.fault) return item as PackedOther;
  return { ...item, fault: packedFault(item.fault) };
}

function revived(item: PackedOther): Item {
  if (item.kind !== "end" || !item.fault) return item as Item;
  return { ...item, fault: revivedFault(item.fault) };
}

/** What an app threw, somewhere else: under a number, because it may be anything. */
export class Thrown extends Error {
  readonly number: number;

  constructor(number: number, message: string) {
    super(message);
    this.number = number;
  }
}

export function packedFault(error: TidemarkError): PackedFault {
  const { name: _, ...fault } = error.toJSON();
  const cause = Object.getOwnPropertyDescriptor(error, "cause")?.value as unknown;
  return { fault, ...(cause instanceof Thrown && { thrown: cause.number }) };
}

/** The fault again, word for word: its message has expected and found in it already. */
export function revivedFault({ fault: { expected, found, ...rest }, thrown }: PackedFault): TidemarkError {
  const error = new TidemarkError(rest, thrown === undefined ? undefined : new Thrown(thrown, ""));
  return Object.assign(error, expected !== undefined && { expected }, found !== undefined && { found });
}

/** Gives each value a number, in the order in which they come. */
class Numbers<T> {
  readonly list: T[] = [];
  readonly #numbers = new Map<T, number>();

  of(value: T): number {
    let number = this.#numbers.get(value);
    if (number === undefined) this.#numbers.set(value, (number = this.list.push(value) - 1));
    return number;
  }
}
