import { isReadable } from "./pieces.js";

/** The JSON of an answer, which is read whole: of one with more bytes the rest is let go of, and a RangeError says so. */
export async function jsonOf(response: Response, most: number): Promise<unknown> {
  if (!isReadable(response.body)) return response.json();
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const decoder = new TextDecoder();
  let text = "";
  let left = most;
  for (let next; !(next = await reader.read()).done; ) {
    if ((left -= next.value.byteLength) < 0) {
      reader.cancel().catch(() => {});
      throw new RangeError(`a body of more than ${most} bytes`);
    }
    text += decoder.decode(next.value, { stream: true });
  }
  return JSON.parse(text + decoder.decode()) as unknown;
}
