/** Engines that only some pages use: loaded by `open()` when an option asks for one. */
import { Driver } from "./driver.js";
import type { Engine, Marking, Saving } from "./engine.js";
import type { Item } from "./items.js";
import { links } from "./links.js";
import type { Marks } from "./marks.js";
import type { Queue } from "./queue.js";
import { replaces, type SavedPlace } from "./replaces.js";
import { sessionIn } from "./route.js";
import { Saver } from "./saver.js";
import type { Loaded, Load, Settings } from "./settings.js";
import { Snapshots, type SnapshotOptions, type SnapshotSettings } from "./snapshots.js";
import type { SnapshotStore } from "./storage/store.js";
import { Watch } from "./watch.js";
import { makerOf, replaces as replacesThere } from "./worker/pool.js";
import { Remote } from "./worker/remote.js";

interface Parts<E, S> {
  queue: Queue<Item<E, S>>;
  marks: Marks;
}

/** Begins a stream. One that is closed meanwhile, or has been, waits for nothing and asks for nothing. */
export async function begin<E, S>(settings: Settings<S>, parts: Parts<E, S>, closing: AbortSignal): Promise<Saving<E, S>> {
  const { worker, snapshots: option } = settings;
  if (!option) return saving(running(settings, parts, closing));
  const watch = new Watch(settings as Settings<unknown>);
  const snapshots = new Snapshots(optionsOf(settings, option), (decision) => watch.decided(decision));
  const { sessions = [] } = settings;
  const found = await Promise.race([begun(settings, snapshots, sessions), left(closing, settings.signal)]);
  const engine = running(found ?? settings, parts, closing);
  const asked = worker ? (...two: [SavedPlace, SavedPlace]) => replacesThere(makerOf(worker), ...two) : replacesHere;
  return saving(engine, new Saver<S>(engine, snapshots, sessions, asked));
}

/** Resolves when one of them fires. */
function left(...signals: (AbortSignal | undefined)[]): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of signals) {
      if (signal?.aborted) resolve(undefined);
      signal?.addEventListener("abort", () => resolve(undefined), { once: true });
    }
  });
}

/** An engine with somebody who saves what comes of it; without a store, `open()` has refused to save already. */
function saving<E, S>(engine: Engine<E, S>, saver?: Saver<S>): Saving<E, S> {
  return {
    queue: engine.queue,
    marks: engine.marks,
    get state() {
      return engine.state;
    },
    stats: () => engine.stats(),
    reset(cursor, session) {
      engine.reset(cursor, session);
      saver?.reset(session);
    },
    save: async (state, session) => saver?.save(state, session) ?? { saved: false },
    stop: engine.stop,
  };
}

function running<E, S>(given: Settings<S>, parts: Parts<E, S>, closing: AbortSignal): Engine<E, S> & Marking {
  const settings = closing.aborted ? { ...given, signal: closing } : given;
  return given.worker ? new Remote(settings, parts) : new Driver(settings, parts);
}

/** Unless somebody names it, the scope is what the address and the profile make of it. */
function optionsOf<S>({ url, profile }: Settings<S>, option: SnapshotStore | SnapshotOptions): SnapshotSettings {
  return { about: JSON.stringify([url, profile]), ...("store" in option ? option : { store: option }) };
}

async function replacesHere(old: SavedPlace, record: SavedPlace): Promise<boolean> {
  return replaces(await links.ready(), old, record);
}

/** A snapshot is where its session begins; without one it is a state that came with the page, and without that `load`. */
async function begun<S>(settings: Settings<S>, snapshots: Snapshots, sessions: readonly string[]): Promise<Settings<S>> {
  const found = await snapshots.first<S>(sessions);
  const saved = new Set(found.map(({ session }) => session));
  const initial: Loaded<S>[] = [...found, ...settings.initial.filter(({ cursor }) => !saved.has(sessionIn(cursor)))];
  return {
    ...settings,
    initial,
    cursors: initial.map(({ cursor }) => cursor),
    proofs: found.flatMap(({ session, proof }) => (proof === undefined ? [] : { session, proof })),
    load: settings.load && rebuilding(settings.load, snapshots),
  };
}

/** Each state after the first begins a new epoch. */
function rebuilding<S>(load: Load<S>, snapshots: Snapshots): Load<S> {
  return (request) => {
    if (request.why === "rebuilt") snapshots.loading(request.session);
    return load(request);
  };
}
