import type { Line } from "./side.js";

/** A fetch that tells how the line is: the stream itself only speaks of the session. */
export function watchedFetch(tell: (line: Line) => void): typeof fetch {
  return async (input, init) => {
    tell("connecting");
    try {
      const response = await fetch(input, init);
      if (!response.ok || !response.body) {
        tell("broken");
        return response;
      }
      tell("open");
      const { status, statusText, headers } = response;
      return new Response(watched(response.body.getReader(), () => tell("broken")), { status, statusText, headers });
    } catch (error) {
      tell("broken");
      throw error;
    }
  };
}

function watched(reader: ReadableStreamDefaultReader<Uint8Array>, broke: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        broke();
        controller.close();
      } catch (error) {
        broke();
        controller.error(error);
      }
    },
    cancel(reason) {
      broke();
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}
