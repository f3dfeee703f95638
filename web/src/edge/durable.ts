import { replaces, type CursorStore, type Remembered } from "./memory.js";

/** What the object needs of a Durable Object's state. */
export interface ObjectState {
  storage: {
    get(key: string): Promise<unknown>;
    put(key: string, value: unknown): Promise<void>;
  };
}

/** What is needed of a namespace of Durable Objects. */
export interface ObjectNamespace {
  idFromName(name: string): unknown;
  get(id: never): { fetch(url: string, init?: RequestInit): Promise<Response> };
}

const PLACE = "place";
const OBJECT = "https://cursor.tidemark.invalid/";

/** A Durable Object that remembers one cursor, and never lets it go backwards. GET answers it, or 204; PUT saves one, or is a 409. */
export class CursorObject {
  readonly #state: ObjectState;

  constructor(state: ObjectState, _env?: unknown) {
    this.#state = state;
  }

  async fetch(request: Request): Promise<Response> {
    if (request.method === "PUT") return this.#save(placeIn(await request.json().catch(() => undefined)));
    const place = await this.#place();
    return place ? Response.json(place) : new Response(null, { status: 204 });
  }

  /** Between reading and writing no other request comes in: that is what the platform promises. */
  async #save(place: Remembered): Promise<Response> {
    if (!(await replaces(undefined, place))) return new Response(null, { status: 400 });
    const old = await this.#place();
    if (!(await replaces(old, place))) return new Response(null, { status: 409 });
    await this.#state.storage.put(PLACE, place);
    return new Response(null, { status: 204 });
  }

  async #place(): Promise<Remembered | undefined> {
    return (await this.#state.storage.get(PLACE)) as Remembered | undefined;
  }
}

/** Remembers cursors in Durable Objects of the class `CursorObject`, one for each key. */
export function durableMemory(namespace: ObjectNamespace): CursorStore {
  const ask = (key: string, init?: RequestInit) => namespace.get(namespace.idFromName(key) as never).fetch(OBJECT, init);
  return {
    load: async (key) => {
      const answer = await ask(key);
      return answer.status === 200 ? ((await answer.json()) as Remembered) : undefined;
    },
    save: async (key, place) => void (await ask(key, { method: "PUT", body: JSON.stringify(place) })),
  };
}

/** Only what a place has. What is none is refused by the module. */
function placeIn(value: unknown): Remembered {
  const { epoch, cursor } = (value ?? {}) as Remembered;
  return { epoch, cursor };
}
