// The checks in a process: prints their results. The arguments are the address of the server and a name for the runs.
import { runChecks } from "./run.mjs";

const { process } = globalThis;
console.log(JSON.stringify(await runChecks(...process.argv.slice(-2))));
