/** What a link is told of the page it runs in. */
export interface Ears {
  network(online: boolean): void;
  page(visible: boolean): void;
}

/**
 * Listens to the network and the page where there are such things; in Node there are none. Answers how to stop, and
 * says at once what is not as usual.
 */
export function listen({ network, page }: Ears): () => void {
  const stops = [
    on(globalThis, "online", () => network(true)),
    on(globalThis, "offline", () => network(false)),
    on(globalThis.document, "visibilitychange", () => page(!hidden())),
  ];
  return () => stops.forEach((stop) => stop());
}

export function offline(): boolean {
  return globalThis.navigator?.onLine === false;
}

export function hidden(): boolean {
  return globalThis.document?.visibilityState === "hidden";
}

function on(target: EventTarget | undefined, type: string, hear: () => void): () => void {
  if (typeof target?.addEventListener !== "function") return () => {};
  target.addEventListener(type, hear);
  return () => target.removeEventListener(type, hear);
}
