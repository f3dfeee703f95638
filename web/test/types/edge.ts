// The types of the edge, as workers use them: lines marked so must not compile.
import { CursorObject, durableMemory, proxy, replaces, validate, type CursorStore, type ObjectNamespace, type Remembered } from "tidemark/edge";

export { CursorObject };
interface Env { UPSTREAM: string; CURSORS: ObjectNamespace }
interface Context { waitUntil(done: Promise<unknown>): void }
declare function userOf(request: Request): Promise<string | undefined>;

export default {
  fetch: (request: Request, env: Env, context: Context): Promise<Response> => proxy(request, {
    upstream: env.UPSTREAM,
    memory: { store: durableMemory(env.CURSORS), key: userOf },
    onVerdict: ({ session, reason }) => reason && console.log(session, reason),
    waitUntil: (done) => context.waitUntil(done),
  }),
};

const places = new Map<string, Remembered>();
export const store: CursorStore = {
  load: async (key) => places.get(key),
  save: async (key, place) => void ((await replaces(places.get(key), place)) && places.set(key, place)),
};

export const passed = async (upstream: Response, cache: Cache): Promise<Response[]> => [
  await validate(upstream, { cursors: ["ses_1:41"], mode: "observe", signal: AbortSignal.timeout(1) }),
  await proxy(new Request("https://edge.example/"), { upstream: new URL("https://sessions.example"), history: { cache, scope: "tenant" } }),
  await proxy(new Request("https://edge.example/"), { history: { cache } }), // refused
  await proxy("https://edge.example/", { upstream: "https://sessions.example" }), // refused
  await validate(upstream, { upstream: "https://sessions.example" }), // refused
  await validate(upstream, { cursors: "ses_1:41" }), // refused
];
