import { runChecks } from "./run.mjs";

onmessage = async ({ data }) => postMessage(await runChecks(...data));
