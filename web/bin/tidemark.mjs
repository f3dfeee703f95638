#!/usr/bin/env node
import { run } from "./run.mjs";

// Whoever reads the output may have seen enough, as `head` does.
process.stdout.on("error", (error) => process.exit(error.code === "EPIPE" ? 0 : 3));

process.exitCode = await run(process.argv.slice(2));
