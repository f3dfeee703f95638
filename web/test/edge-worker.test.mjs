// The worker that is ready to be deployed, web/edge-worker: what goes where.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const file = (path) => fileURLToPath(new URL(path, import.meta.url));

async function worker() {
  const { outputFiles } = await build({
    entryPoints: [file("../edge-worker/src/worker.js")], bundle: true, write: false, format: "esm", alias: { "tidemark/edge": file("../dist/edge/index.js") },
  });
  return (await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`)).default;
}

test("what is no stream goes to the server, whoever its path names", async (t) => {
  const asked = t.mock.method(globalThis, "fetch", async () => new Response());
  const { fetch } = await worker();
  const paths = ["/", "/v1/sessions/s1/log?limit=1", "//other.example/x", "/\\other.example/x", "///other.example", "/http://other.example/", "/v1/events/../x?a=b%20c"];
  for (const path of paths) await fetch(new Request(`https://edge.example${path}`, { headers: { authorization: "Bearer t" } }), { UPSTREAM: "https://up.example" }, {});
  assert.deepEqual(asked.mock.calls.map(({ arguments: [{ url, headers }] }) => `${url} ${headers.get("authorization")}`), [
    "https://up.example/ Bearer t", "https://up.example/v1/sessions/s1/log?limit=1 Bearer t", "https://up.example//other.example/x Bearer t",
    "https://up.example//other.example/x Bearer t", "https://up.example///other.example Bearer t", "https://up.example/http://other.example/ Bearer t",
    "https://up.example/v1/x?a=b%20c Bearer t",
  ]);
});
