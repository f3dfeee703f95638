import { TO } from "./gen/seam.gen.js";
import { Instance, type Exports } from "./instance.js";

interface CheckExports extends Exports {
  output_to(): number;
  check_args(n: number): number;
  check_profile(n: number): number;
  check_open(n: number): number;
  check_write(handle: number, n: number): number;
  check_close(handle: number, stopped: number, broken: number): number;
  check_trouble(n: number): number;
  check_total(): number;
  check_exit(): number;
  explain(n: number): number;
}

/** What a terminal is like: no colours and 100 columns where there is none. */
export interface Terminal {
  colour: boolean;
  width: number;
}

/** What the arguments ask for: a text to print and be done with, a problem, or work. */
export interface Plan {
  print?: string;
  problem?: string;
  sources?: string[];
  millis?: number;
  json?: boolean;
  /** A file to read and hand to `profile`. */
  profileFile?: string;
}

/** Something to print, and whether it belongs on standard error. */
export interface Said {
  text: string;
  error: boolean;
}

/** The module of the command line: one call of `tidemark check` or `tidemark explain`. */
export class Checks extends Instance<CheckExports> {
  args(args: string[], terminal: Terminal): Plan {
    const n = this.put(JSON.stringify({ args, ...terminal }));
    return JSON.parse(this.output(this.run((e) => e.check_args(n)))) as Plan;
  }

  /** Hands over the profile file, or why it cannot be read. What it says is a problem. */
  profile(file: { text?: string; detail?: string }): Said {
    const n = this.put(JSON.stringify(file));
    return this.#said((e) => e.check_profile(n));
  }

  open(name: string, contentType?: string | null): number {
    const n = this.put(JSON.stringify({ name, ...(contentType ? { contentType } : {}) }));
    return this.run((e) => e.check_open(n));
  }

  /** Reads a chunk; it is copied before this returns. */
  write(handle: number, chunk: Uint8Array): Said {
    const n = this.put(chunk);
    return this.#said((e) => e.check_write(handle, n));
  }

  /** `stopped`: the recording would have gone on. `broken`: reading it failed, and `trouble` follows. */
  close(handle: number, how: { stopped?: boolean; broken?: boolean } = {}): Said {
    return this.#said((e) => e.check_close(handle, how.stopped ? 1 : 0, how.broken ? 1 : 0));
  }

  trouble(name: string, cause: string, detail = ""): Said {
    const n = this.put(JSON.stringify({ name, cause, detail }));
    return this.#said((e) => e.check_trouble(n));
  }

  total(): Said {
    return this.#said((e) => e.check_total());
  }

  get exitCode(): number {
    return this.run((e) => e.check_exit());
  }

  explain(args: string[], terminal: Terminal): Said {
    const n = this.put(JSON.stringify({ args, ...terminal }));
    return this.#said((e) => e.explain(n));
  }

  #said(use: (e: CheckExports) => number): Said {
    const length = this.run(use);
    return { text: length > 0 ? this.output(length) : "", error: this.run((e) => e.output_to()) === TO.err };
  }
}
