/** What the core says about something malformed, misconfigured or out of reach. Never payload. */
export interface Fault {
  /** Rule of the catalog, `stream.…`; stable for good. Programs compare this. */
  id: string;
  /** One of the eight codes of the contract, for code that handles failures of any origin. */
  code: string;
  message: string;
  hint: string;
  href: string;
  /** Whether the same call can succeed later. */
  retryable: boolean;
  expected?: string;
  found?: string;
  session?: string;
  /** Byte position in the input. */
  offset?: number;
}

/** A fault as the seam writes it: there `id` is a number, and `rule` the text id. */
export type RawFault = Omit<Fault, "id"> & { id: number; rule: string };

/** A fault as an exception. Holds positions and option names, never payload. */
export class TidemarkError extends Error implements Fault {
  override readonly name: string = "TidemarkError";
  readonly id: string;
  readonly code: string;
  readonly hint: string;
  readonly href: string;
  readonly retryable: boolean;
  declare readonly expected?: string;
  declare readonly found?: string;
  declare readonly session?: string;
  declare readonly offset?: number;

  constructor(fault: Fault, cause?: unknown) {
    super(sentence(fault), cause === undefined ? undefined : { cause });
    this.id = fault.id;
    this.code = fault.code;
    this.hint = fault.hint;
    this.href = link(fault.href);
    this.retryable = fault.retryable;
    for (const name of FACTS) if (fault[name] !== undefined) Object.assign(this, { [name]: fault[name] });
  }

  /** Plain members for a log; the cause is left out, because it may hold anything. */
  toJSON(): Fault & { name: string } {
    return { ...this, message: this.message };
  }
}

const FACTS = ["expected", "found", "session", "offset"] as const;

/** A row of the catalog in its own words, for a fault that the shell finds itself. */
export type Own = readonly [rule: string, code: string, message: string, hint: string];

export const ABI_MISMATCH: Own = [
  "abi_mismatch", "invalid_config",
  "The WebAssembly module and the script that loads it are of different versions.",
  "Deploy both from one release of the package, and have caches let go of the older one.",
];
export const BAD_HANDLE: Own = [
  "bad_handle", "invalid_config",
  "The object is closed, or was never opened.",
  "Open a new one. It belongs to one instance of the module, and ends with it.",
];
export const BAD_INPUT: Own = [
  "bad_input", "invalid_config",
  "A value was passed that this call cannot take.",
  "Compare what was found with what was expected.",
];
export const HTTP_STATUS: Own = [
  "http_status", "invalid_config",
  "The server turned the request down, and asking again would change nothing.",
  "Check address and parameters against the status that is named; the body of the answer often says more.",
];
export const INVALID_OPTIONS: Own = [
  "invalid_options", "invalid_config",
  "The options contradict each other, or one of them has no meaning here.",
  "Ask for what was expected, in place of what was found.",
];
export const MODULE_EXITED: Own = [
  "module_exited", "unknown",
  "The WebAssembly module stopped in the middle of its work.",
  "The stream goes on in a fresh module from the last cursor. Please report it, with what the console says.",
];
export const MODULE_LOAD: Own = [
  "module_load", "capability_unavailable",
  "The WebAssembly module could not be fetched or compiled.",
  "Check that its address answers with application/wasm, and that the content security policy allows 'wasm-unsafe-eval'.",
];
export const NOT_READY: Own = [
  "not_ready", "invalid_config",
  "The call came before the WebAssembly module was ready.",
  "Wait for `init()` first.",
];

export const SOURCE_FAILED: Own = [
  "source_failed", "plugin_error",
  "The source that was given for the stream failed.",
  "The cause that comes along says what was thrown. Give a function that makes a connection whenever one is wanted: then a break is mended from the cursor.",
];
export const UNAUTHORIZED: Own = [
  "unauthorized", "invalid_config",
  "The server did not accept the credentials.",
  "Log in again, check that this user may see the session, and open the stream anew from the same cursor.",
];

/** A fault that the shell finds itself, before or without the module. */
export function fault(
  [rule, code, message, hint]: Own,
  { cause, ...facts }: { expected?: string; found?: string; cause?: unknown } = {},
): TidemarkError {
  const href = `docs/faults.md#stream-${rule.replaceAll("_", "-")}`;
  return new TidemarkError({ id: "stream." + rule, code, message, hint, href, retryable: rule === "module_exited", ...facts }, cause);
}

/** A fault of the module as an exception. */
export function raised({ rule, ...fault }: RawFault): TidemarkError {
  return new TidemarkError({ ...fault, id: rule });
}

/** The core names pages by their place in the repository; a reader needs an address. */
export function link(href: string): string {
  return href.startsWith("docs/") ? `https://github.com/tidemark-stream/tidemark/blob/main/${href}` : href;
}

function sentence({ message, expected, found }: Fault): string {
  const facts = [expected && `expected ${expected}`, found && `found ${found}`].filter(Boolean).join(", ");
  return facts ? `${message.replace(/\.$/, "")} (${facts})` : message;
}

/** Text of anything that was thrown; never throws itself. */
export function messageOf(thrown: unknown): string {
  try {
    return String((thrown as { message?: unknown } | null)?.message ?? thrown);
  } catch {
    return "a value without a text form";
  }
}
