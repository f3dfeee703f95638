// The page around a stream, as far as the driver looks at one: a network that can go, and a tab that can be hidden.

/** Gives the globals that a page has; both can be changed, and listeners counted. */
export function withPage(t, { online = true, visible = true } = {}) {
  const listening = new Map();
  const target = () => {
    const heard = new EventTarget();
    const count = (type, by) => listening.set(type, (listening.get(type) ?? 0) + by);
    return {
      addEventListener: (type, hear) => (count(type, 1), heard.addEventListener(type, hear)),
      removeEventListener: (type, hear) => (count(type, -1), heard.removeEventListener(type, hear)),
      dispatchEvent: (event) => heard.dispatchEvent(event),
    };
  };
  const window = target();
  const navigator = { onLine: online };
  const document = Object.assign(target(), { visibilityState: visible ? "visible" : "hidden" });
  const { addEventListener, removeEventListener } = window;
  const given = { addEventListener, removeEventListener, navigator, document };
  const before = Object.fromEntries(Object.keys(given).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]));
  for (const [name, value] of Object.entries(given)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  t.after(() => {
    for (const [name, own] of Object.entries(before)) own ? Object.defineProperty(globalThis, name, own) : delete globalThis[name];
  });
  return {
    network(online) {
      navigator.onLine = online;
      window.dispatchEvent(new Event(online ? "online" : "offline"));
    },
    show(visible) {
      document.visibilityState = visible ? "visible" : "hidden";
      document.dispatchEvent(new Event("visibilitychange"));
    },
    /** How many listen to anything now. */
    get listeners() {
      return [...listening.values()].reduce((sum, n) => sum + n, 0);
    },
  };
}
