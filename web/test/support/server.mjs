// A server that answers each request with the next of a list: for streams that ask from a thread of their own.
import { createServer } from "node:http";

/**
 * `answers` are functions of the request and the response, or lists of chunks of a stream; a function among the chunks is
 * awaited in its turn, and an Error cuts the connection. Past the end it is 204.
 */
export async function serving(t, ...answers) {
  const requests = [];
  const server = createServer(async (request, response) => {
    requests.push({ url: request.url, headers: request.headers });
    let answer = answers.shift();
    if (typeof answer === "function") answer = await answer(request, response);
    if (answer === undefined) return void (response.headersSent || response.writeHead(204).end());
    await send(response, [answer].flat());
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => (server.closeAllConnections(), server.close()));
  return { address: `http://127.0.0.1:${server.address().port}/v1/sessions/s1/events`, requests, answers };
}

async function send(response, chunks) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  for (let chunk of chunks) {
    if (typeof chunk === "function") chunk = await chunk();
    if (chunk instanceof Error) return void response.destroy();
    if (chunk !== undefined && !response.write(chunk)) await drained(response);
    if (response.destroyed) return;
  }
  response.end();
}

/** Resolves when more can be written, or nobody reads any more. */
function drained(response) {
  return new Promise((resolve) => {
    const done = () => resolve(void response.off("drain", done).off("close", done));
    response.on("drain", done).on("close", done);
  });
}
