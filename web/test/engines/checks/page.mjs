// The checks on a page, then in a worker, then in a shared worker; each reports as soon as it has ended.
import { runChecks } from "./run.mjs";

const { origin, searchParams } = new URL(location.href);
const [server, name] = [searchParams.get("server"), searchParams.get("name")];

async function inWorker() {
  const worker = new Worker("worker.mjs", { type: "module" });
  const answer = answerOf(worker, worker);
  worker.postMessage([server, origin, `${name}-worker`]);
  return answer;
}

async function inSharedWorker() {
  const worker = new SharedWorker("shared.mjs", { type: "module" });
  const answer = answerOf(worker.port, worker);
  worker.port.start();
  worker.port.postMessage([server, origin, `${name}-shared`]);
  return answer;
}

function answerOf(port, worker) {
  return new Promise((resolve, reject) => {
    port.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(`the worker failed: ${message}`));
  });
}

async function report(context, run) {
  const results = await run().catch((error) => ({ start: { error: String(error?.stack ?? error) } }));
  await fetch(`/report?context=${name}%20${context}`, { method: "POST", body: JSON.stringify(results) });
}

await report("page", () => runChecks(server, origin, `${name}-page`));
await report("worker", inWorker);
await report("shared", inSharedWorker);
document.title = "Checks: done";
