import { TidemarkError } from "./errors.js";
import { ask } from "./ask.js";
import { CODES, type ErrorCode } from "./gen/codes.gen.js";
import * as op from "./gen/ops.gen.js";

export type { ErrorCode };

export interface CodedErrorInit {
  code: ErrorCode;
  message: string;
  details?: Readonly<Record<string, unknown>>;
  /** Absent: the default of the code. */
  retryable?: boolean;
  cause?: unknown;
}

/** A failure that its place has classified. */
export class CodedError extends Error {
  override readonly name = "CodedError";
  readonly code: ErrorCode;
  declare readonly details?: Readonly<Record<string, unknown>>;
  readonly retryable: boolean;

  constructor({ code, message, details, retryable, cause }: CodedErrorInit) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.retryable = retryable ?? code === "storage_error";
    if (details !== undefined) this.details = details;
  }
}

export interface ProviderErrorInit {
  /** `auth`, `rate_limit`, `overloaded`, …; the list is open. */
  code: string;
  message: string;
  retryable: boolean;
  providerId?: string;
  status?: number;
  retryAfterMs?: number;
  cause?: unknown;
}

/** What the driver of a model provider says about a failed call. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly code: string;
  readonly retryable: boolean;
  declare readonly providerId?: string;
  declare readonly status?: number;
  declare readonly retryAfterMs?: number;

  constructor({ code, message, retryable, providerId, status, retryAfterMs, cause }: ProviderErrorInit) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.retryable = retryable;
    if (providerId !== undefined) this.providerId = providerId;
    if (status !== undefined) this.status = status;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
}

export interface Explanation {
  id: string;
  message: string;
  hint: string;
}

/** The form of a failure that travels: no hint, no cause. */
export interface NormalForm {
  code: string;
  message: string;
  details?: Record<string, unknown>;
  retryable: boolean;
}

/** What rules see of a failure. */
export interface Facts {
  message: string;
  code?: string;
  status?: number;
  retryAfterMs?: number;
  name?: string;
  hint?: string;
}

const hints = new WeakMap<object, unknown>();

/** Attaches advice to an error where it is raised; anything but an object comes back as it was. */
export function withHint<T>(thrown: T, text: string): T {
  if (isObject(thrown)) hints.set(thrown, text);
  return thrown;
}

/** The attached advice, when there is any. */
export function hintOf(thrown: unknown): string | undefined {
  const hint = isObject(thrown) ? hints.get(thrown) : undefined;
  return typeof hint === "string" && hint !== "" ? hint : undefined;
}

/** What a person should do about a failure; null when no rule knows. Any value can be asked about. Needs `await init()`. */
export function explain(thrown: unknown): Explanation | null {
  return put(op.explain, thrown) as Explanation | null;
}

/** The normal form of any thrown value. Never fails on one. Needs `await init()`. */
export function normalize(thrown: unknown): NormalForm {
  return put(op.normalize, thrown) as NormalForm;
}

/** The facts that rules see. Needs `await init()`. */
export function facts(thrown: unknown): Facts {
  return put(op.facts, thrown) as Facts;
}

/** Details may hold anything, also what the core cannot read; a failure without them is still that failure. */
function put(op: number, thrown: unknown): unknown {
  const form = { ...look(thrown), hint: hintOf(thrown) };
  try {
    return ask(op, JSON.stringify(form));
  } catch (error) {
    if (!("details" in form) || !(error instanceof TidemarkError) || error.id !== "stream.bad_input") throw error;
    return ask(op, JSON.stringify({ ...form, details: undefined }));
  }
}

/** A thrown value as the seam takes it. Reading it may throw anywhere; then it is a value without text. */
function look(thrown: unknown): object {
  try {
    if (thrown instanceof TidemarkError) return ours(thrown);
    return isErrorLike(thrown) ? LOOKS[kindOf(thrown)](thrown) : value(thrown);
  } catch {
    return { kind: "value", object: isObject(thrown), text: "a value without a text form" };
  }
}

const ours = ({ id: rule, expected, found }: TidemarkError) => ({ kind: "fault", rule, expected, found });

/** How each kind of error is described; members of a wrong kind are left out. */
const LOOKS = {
  error: (error: ErrorLike) => ({ kind: "error", message: text(error.message), name: text(error.name) }),
  coded: (error: ErrorLike) => ({
    ...LOOKS.error(error), kind: "coded", code: error.code, retryable: flag(error.retryable), details: object(error.details),
  }),
  provider: (error: ErrorLike) => ({
    ...LOOKS.error(error), kind: "provider", code: text(error.code), retryable: flag(error.retryable),
    providerId: typeof error.providerId === "string" ? error.providerId : undefined,
    status: number(error.status), retryAfterMs: number(error.retryAfterMs),
  }),
};

const flag = (value: unknown) => (typeof value === "boolean" ? value : undefined);
const number = (value: unknown) => (Number.isFinite(value) ? value : undefined);

/** Details as plain data; undefined when they are none, or cannot be written down. */
function object(details: unknown): object | undefined {
  if (!isObject(details) || Array.isArray(details)) return undefined;
  try {
    const plain = JSON.parse(JSON.stringify(details, (_, member) => (typeof member === "bigint" ? String(member) : member)));
    return isObject(plain) && !Array.isArray(plain) ? plain : undefined;
  } catch {
    return undefined;
  }
}

interface ErrorLike {
  message: unknown;
  name?: unknown;
  code?: unknown;
  retryable?: unknown;
  details?: unknown;
  providerId?: unknown;
  status?: unknown;
  retryAfterMs?: unknown;
}

/** By class, else by shape, so that errors of another copy of this package or of another realm count too. */
function kindOf(error: ErrorLike): "coded" | "provider" | "error" {
  if (error instanceof ProviderError || error.name === "ProviderError") return "provider";
  if (typeof error.code !== "string" || typeof error.retryable !== "boolean") return "error";
  if (error.providerId !== undefined) return "provider";
  return CODES.includes(error.code) ? "coded" : "error";
}

function isErrorLike(thrown: unknown): thrown is ErrorLike {
  return thrown instanceof Error || Object.prototype.toString.call(thrown) === "[object Error]";
}

function isObject(thrown: unknown): thrown is object {
  return (typeof thrown === "object" && thrown !== null) || typeof thrown === "function";
}

function value(thrown: unknown): object {
  return { kind: "value", text: String(thrown), object: isObject(thrown) };
}

/** The text of a value; undefined when it has none. */
function text(value: unknown): string | undefined {
  try {
    return String(value);
  } catch {
    return undefined;
  }
}
