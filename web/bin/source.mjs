// Where recordings come from: files, standard input, addresses; unpacked when they are gzip.
import { open as openHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

const ROOM = 1 << 20;
const CAUSES = { ENOENT: "not_found", EISDIR: "directory", EACCES: "denied", EPERM: "denied", ECONNREFUSED: "connection", ECONNRESET: "connection" };

/** The cause of an error in the words of the module; only causes it has no words for come with a detail. */
function cause(error) {
  const known = CAUSES[error.code ?? error.cause?.code];
  return known ? { cause: known, detail: "" } : { cause: "other", detail: error.cause?.message ?? error.message };
}

/**
 * Opens a source: `chunks` of bytes, each to be used before the next is asked for, `taken` the bytes that
 * came so far as they are stored, `size` when it is known. Or `trouble`: a cause and a detail.
 */
export async function open(source, signal) {
  try {
    if (source === "-") return await unpacked({ chunks: input(signal), size: 0 });
    if (/^https?:\/\//.test(source)) return await address(source, signal);
    return await unpacked(await file(source, signal));
  } catch (error) {
    return { trouble: cause(error) };
  }
}

async function file(path, signal) {
  const handle = await openHandle(path);
  const { size } = await handle.stat();
  return { chunks: fileChunks(handle, signal), size };
}

async function* fileChunks(handle, signal) {
  try {
    const room = Buffer.allocUnsafe(ROOM);
    while (!signal.aborted) {
      const { bytesRead } = await handle.read(room, 0, ROOM);
      if (bytesRead === 0) return;
      yield room.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

async function* input(signal) {
  const close = () => process.stdin.destroy();
  signal.addEventListener("abort", close);
  yield* process.stdin;
}

async function address(url, signal) {
  const headers = { accept: "text/event-stream, application/x-ndjson, */*;q=0.5" };
  let answer;
  try {
    answer = await fetch(url, { headers, signal });
  } catch (error) {
    return { trouble: { cause: "connection", detail: error.cause?.message ?? error.message } };
  }
  if (answer.status !== 200) {
    await answer.body?.cancel();
    return { trouble: { cause: "status", detail: String(answer.status) } };
  }
  const contentType = answer.headers.get("content-type");
  const opened = { chunks: answer.body ?? [], contentType, size: Number(answer.headers.get("content-length") ?? 0) };
  // The first bytes of an event stream may be long in coming, so nobody waits for them here.
  return /^text\/event-stream\b/i.test(contentType ?? "") ? counted(opened) : unpacked(opened);
}

/** Counts the bytes as they are stored. */
function counted(opened) {
  let taken = 0;
  const count = async function* () {
    for await (const chunk of opened.chunks) {
      taken += chunk.length;
      yield chunk;
    }
  };
  return { ...opened, chunks: count(), taken: () => taken, cause };
}

/** The same source, unpacked when its first two bytes say gzip. */
async function unpacked(opened) {
  const source = counted(opened);
  const chunks = source.chunks[Symbol.asyncIterator]();
  const first = [];
  let length = 0;
  while (length < 2) {
    const { value, done } = await chunks.next();
    if (done) break;
    first.push(Buffer.from(value));
    length += value.length;
  }
  const whole = async function* () {
    yield* first;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  const begin = Buffer.concat(first).subarray(0, 2);
  if (begin.length < 2 || begin[0] !== 0x1f || begin[1] !== 0x8b) return { ...source, chunks: whole() };
  // What is waiting to be unpacked must not change when the next chunk is read.
  const owned = async function* () {
    for await (const chunk of whole()) yield Buffer.from(chunk);
  };
  return { ...source, chunks: pipe(Readable.from(owned()), createGunzip()) };
}

/** Chunks of one stream behind another; an error of either ends them. */
async function* pipe(from, through) {
  from.on("error", (error) => through.destroy(error));
  try {
    yield* from.pipe(through);
  } finally {
    from.destroy();
  }
}
