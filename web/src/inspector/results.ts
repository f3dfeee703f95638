import { TidemarkError, type Fault } from "../errors.js";

/** Why something does not hold. `rule` is the id to compare, `durable.…` for the most part; `offset` is a byte of the input. Never payload. */
export interface Refused extends Omit<Fault, "id" | "session"> {
  rule: string;
}

/** A result, or what stands against it. */
export type Outcome<T> = ({ ok: true } & T) | { ok: false; refused: Refused };

/** What the log or the document is to blame for; all else is thrown. */
const RESULTS = /^(durable\.|stream\.gap|stream\.generation_changed)/;

/** Runs a question whose faults about logs and documents are results. */
export function outcome<T>(run: () => T): Outcome<T> {
  try {
    return { ok: true, ...run() };
  } catch (error) {
    if (error instanceof TidemarkError && RESULTS.test(error.id)) return { ok: false, refused: refusedOf(error) };
    throw error;
  }
}

function refusedOf({ id, code, message, hint, href, retryable, expected, found, offset }: TidemarkError): Refused {
  return {
    rule: id, code, message, hint, href, retryable,
    ...(expected === undefined ? {} : { expected }), ...(found === undefined ? {} : { found }), ...(offset === undefined ? {} : { offset }),
  };
}
