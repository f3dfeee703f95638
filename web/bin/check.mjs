// `tidemark check`: opens what the module asks for, hands it the bytes, prints what it says.
import { readFile } from "node:fs/promises";
import { open } from "./source.mjs";
import { Progress } from "./progress.mjs";
import { print } from "./print.mjs";

/** One call of the command; answers the exit code. */
export async function check(module, args, terminal) {
  const plan = module.args(args, terminal);
  if (plan.print !== undefined) return print({ text: plan.print, error: false }), 0;
  const problem = plan.problem ?? (await profileProblem(module, plan.profileFile));
  if (problem) return print({ text: problem, error: true }), 2;

  const interrupt = new AbortController();
  const onInterrupt = () => interrupt.abort();
  process.once("SIGINT", onInterrupt);
  for (const source of plan.sources) {
    await checkOne(module, source, plan, interrupt.signal);
    if (interrupt.signal.aborted) break;
  }
  process.off("SIGINT", onInterrupt);
  print(module.total());
  return module.exitCode;
}

async function profileProblem(module, path) {
  if (path === undefined) return "";
  let file;
  try {
    file = { text: await readFile(path, "utf8") };
  } catch (error) {
    file = { detail: error.code === "ENOENT" ? "" : error.message };
  }
  return module.profile(file).text;
}

async function checkOne(module, source, { millis, json }, interrupted) {
  const stop = new AbortController();
  const abort = () => stop.abort();
  let timer;
  interrupted.addEventListener("abort", abort);
  const name = source === "-" ? "standard input" : source;
  try {
    const opened = await open(source, stop.signal);
    if (millis > 0) timer = setTimeout(abort, millis); // from here on, so that a slow answer is not cut short
    if (opened.trouble) print(module.trouble(name, opened.trouble.cause, opened.trouble.detail));
    else await read(module, name, opened, stop.signal, json);
  } finally {
    clearTimeout(timer);
    interrupted.removeEventListener("abort", abort);
  }
}

async function read(module, name, { chunks, contentType, size, taken, cause }, signal, json) {
  const handle = module.open(name, contentType);
  const progress = new Progress(name, size);
  let failure;
  try {
    for await (const chunk of chunks) {
      progress.update(taken());
      const said = module.write(handle, chunk);
      if (json && said.text !== "") progress.clear();
      print(said);
      if (signal.aborted) break;
    }
  } catch (error) {
    if (!signal.aborted) failure = cause(error);
  }
  progress.clear();
  print(module.close(handle, { stopped: signal.aborted, broken: failure !== undefined }));
  if (failure) print(module.trouble(name, failure.cause, failure.detail));
}
