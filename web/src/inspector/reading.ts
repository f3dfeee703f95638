import { OF } from "../gen/seam.gen.js";
import { members } from "../wire.js";
import { bytesOf, pour, type LogSource, type ReadOptions } from "./bytes.js";
import { full, type Full } from "./module.js";

/** What a log is opened with. */
export interface Opening {
  session?: string | undefined;
  turnId?: string | undefined;
  digest?: boolean | undefined;
  through?: number | undefined;
  watch?: string | undefined;
  state?: string | undefined;
  verify?: boolean;
  checkpointId?: string | undefined;
}

/** Reads a log to its end, and answers what `use` makes of it. The log is forgotten then. */
export async function reading<T>(
  log: LogSource,
  opening: Opening,
  options: ReadOptions,
  use: (module: Full, handle: number) => T | Promise<T>,
  before: { document?: unknown; written?: unknown } = {},
): Promise<T> {
  options.signal?.throwIfAborted();
  const module = await full.ready();
  const handle = module.open(members({ ...opening }));
  try {
    for (const of of ["document", "written"] as const) {
      if (before[of] !== undefined) module.write(handle, OF[of], bytesOf(before[of], of));
    }
    await pour(log, (piece) => module.write(handle, OF.log, piece), options);
    module.end(handle);
    return await use(module, handle);
  } finally {
    module.close(handle);
  }
}
