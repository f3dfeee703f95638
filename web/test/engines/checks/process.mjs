// The checks in a process: prints their results. The arguments are the addresses of both servers and a name for the runs.
import { runChecks } from "./run.mjs";

const { process } = globalThis;
console.log(JSON.stringify(await runChecks(...process.argv.slice(-3))));
