// The commands of `npx tidemark`. What they print is made in Go; see docs/check.md.
import { readFileSync } from "node:fs";
import { start } from "../dist/instance.js";
import { Checks } from "../dist/check.js";
import { check } from "./check.mjs";
import { print } from "./print.mjs";

const file = (name) => new URL(`../${name}`, import.meta.url);

const HELP = `usage: tidemark <command> [arguments]

  check      find what is missing, doubled or out of order in a recording
  explain    print a rule of the catalog, or list them
  version    print the version
  help       print this

Each command explains itself with --help. The server and the vectors are in the
command of the same name that is built from Go.
`;

const commands = {
  check: async (args) => check(await load(), args, terminal(process.stdout)),
  async explain(args) {
    const said = (await load()).explain(args, terminal(process.stdout));
    print(said);
    return said.error ? 2 : 0;
  },
  version: () => (process.stdout.write(JSON.parse(readFileSync(file("package.json"), "utf8")).version + "\n"), 0),
  help: () => (process.stdout.write(HELP), 0),
};

const names = { "--help": "help", "-h": "help", "--version": "version" };

/** Runs one command line and answers the exit code. */
export async function run([name, ...args]) {
  if (name === undefined) {
    process.stderr.write(HELP);
    return 2;
  }
  const command = Object.hasOwn(commands, names[name] ?? name) && commands[names[name] ?? name];
  if (command) return command(args);
  process.stderr.write(`tidemark: there is no command "${name}"\n  tidemark help lists all commands\n`);
  return 2;
}

async function load() {
  return start(await WebAssembly.compile(readFileSync(file("dist/check.wasm"))), Checks);
}

function terminal(stream) {
  if (!stream.isTTY) return { colour: false, width: 100 };
  const columns = stream.columns >= 40 ? stream.columns : 100;
  return { colour: !process.env.NO_COLOR && process.env.TERM !== "dumb", width: Math.min(columns, 160) };
}
