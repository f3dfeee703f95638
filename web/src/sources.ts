/**
 * Streams that do not come by requests to one address:
 *
 *   open(bytes(response.body), { session: "s1" })
 *   open(bytes(({ starts, signal }) => connection), { session: "s1" })
 *   open(requests({ start, resume, identify }), { profile })
 *   open(webSocket("/socket"), { session: "s1" })
 *   open(bytes(framed(messages)), { session: "s1" })
 */
export { bytes, type ByteSource, type ByteStream, type Connect, type From, type Wanted } from "./source.js";
export { framed, type Messages } from "./source-framed.js";
export { requests, type Asked, type Requests, type Resume } from "./source-requests.js";
export type { Identify } from "./source-names.js";
export { webSocket, type WebSocketAddress, type WebSocketOptions } from "./source-websocket.js";
export type { Source } from "./settings.js";
