// A service worker that stands between the page and the server: the address of that comes with the worker's own.
import { proxy } from "../../../dist/edge/index.js";

const upstream = new URL(location.href).searchParams.get("upstream");

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (origin === location.origin && pathname.startsWith("/v1/sessions/")) event.respondWith(proxy(event.request, { upstream }));
});
