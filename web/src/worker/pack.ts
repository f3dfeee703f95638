import { TidemarkError, type Fault } from "../errors.js";
import { Page, PageItem, type EndItem, type Item } from "../items.js";

/** Numbers of one event: kind, session, type, seq, generation, page, place in it, length. */
const COLUMNS = 8;
const EVENT = 1;
const ASCII = 2;
const NONE = -1;

/** Items on their way to another thread. Text of events goes as it is, in the pages that it stands in. */
export interface Packed {
  /** COLUMNS numbers for each item; those that are no events have kind NONE and stand in `others`, in order. */
  table: Float64Array<ArrayBuffer>;
  names: string[];
  pages: { bytes: Uint8Array; at: number }[];
  others: PackedOther[];
}

type PackedOther = Exclude<Item, { kind: "event" | "draft" | "end" }> | (Omit<EndItem, "fault"> & { fault?: PackedFault });

/** A fault as plain data. Its cause is a thing of the thread where it was thrown: a number says which one. */
export interface PackedFault {
  fault: Fault;
  thrown?: number;
}

/** Packs items; their pages are gone here afterwards. The list is what to transfer. */
export function pack(items: readonly Item[]): { packed: Packed; transfer: ArrayBuffer[] } {
  const table = new Float64Array(items.length * COLUMNS);
  const names = new Numbers<string>();
  const pages = new Numbers<Page>();
  const others: PackedOther[] = [];
  items.forEach((item, i) => {
    if (item instanceof PageItem) writeEvent(table.subarray(i * COLUMNS), item, names, pages);
    else {
      table[i * COLUMNS] = NONE;
      others.push(plain(item as Exclude<Item, { kind: "event" | "draft" }>));
    }
  });
  const bytes = pages.list.map((page) => ({ bytes: page.bytes, at: page.at }));
  return {
    packed: { table, names: names.list, pages: bytes, others },
    transfer: [table.buffer, ...bytes.map(({ bytes }) => bytes.buffer as ArrayBuffer)],
  };
}

function writeEvent(row: Float64Array, item: PageItem<unknown>, names: Numbers<string>, pages: Numbers<Page>): void {
  const { page, at, length, ascii } = PageItem.place(item);
  const { kind, session, type, seq = NONE, generation } = item;
  row[0] = (kind === "event" ? EVENT : 0) | (ascii ? ASCII : 0);
  row[1] = names.of(session);
  row[2] = names.of(type);
  row[3] = seq;
  row[4] = generation === undefined ? NONE : names.of(generation);
  row[5] = pages.of(page);
  row[6] = at;
  row[7] = length;
}

/** The items again, over the same bytes. */
export function unpack<E>({ table, names, pages, others }: Packed): Item<E>[] {
  const whole = pages.map(({ bytes, at }) => new Page(bytes, at));
  const items: Item<E>[] = [];
  let other = 0;
  for (let i = 0; i < table.length; i += COLUMNS) {
    items.push(table[i] === NONE ? (revived(others[other++]!) as Item<E>) : readEvent<E>(table, i, names, whole));
  }
  return items;
}

function readEvent<E>(table: Float64Array, i: number, names: readonly string[], pages: readonly Page[]): Item<E> {
  const flags = table[i]!;
  const [session, type, page] = [names[table[i + 1]!]!, names[table[i + 2]!]!, pages[table[i + 5]!]!];
  const item = new PageItem<E>((flags & EVENT) !== 0 ? "event" : "draft", session, type, page, table[i + 6]!, table[i + 7]!, (flags & ASCII) !== 0);
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
