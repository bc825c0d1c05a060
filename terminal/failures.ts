/**
 * Maps every error to a sentence and an exit code: 1 refused or failed, 2 wrong usage, 3 unreachable, 129, 130 and 143
 * stopped by a signal.
 */
import type { SettingsError } from "../config/settings.sources.ts";
import { describeRefusal, Invalid, Refusal, Unavailable } from "../src/vocabulary/errors.ts";
import type { FieldErrors } from "../src/vocabulary/errors.ts";
import { exitCodeOf } from "./signals.ts";
import type { StopSignal } from "./signals.ts";

/** The command line is incomplete or invalid. */
export class WrongUsage extends Error {}

/** A server that the command needs is unreachable. */
export class Unreachable extends Error {}

/** A service refused an HTTP request; `code` is the error code of its response, if any. */
export class Refused extends Error {
  readonly code: string | undefined;
  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

/** A signal interrupted the work. `remedy` is a sentence that says what that means and how to continue. */
export class Stopped extends Error {
  readonly signal: StopSignal;
  constructor(signal: StopSignal, remedy: string) {
    super(`Stopped by ${signal}. ${remedy}`);
    this.signal = signal;
  }
}

/** Work that failed partway because of `cause`; --json prints the partial `result` beside the error. */
export class BrokeOff extends Error {
  readonly result: object;
  constructor(result: object, cause: unknown) {
    super("the work was interrupted", { cause });
    this.result = result;
  }
}

export interface Failure {
  readonly exitCode: number;
  readonly message: string;
  /** The error code of the HTTP API, if there is one. */
  readonly error?: string;
  readonly errors?: FieldErrors;
}

/** The report of any `error`; `tell` renders field errors for people. */
export function toFailure(
  error: unknown,
  tell = (errors: FieldErrors): string => Object.values(errors).flat().join(" "),
): Failure {
  if (error instanceof Refusal) return { exitCode: 1, message: sentenceOf(error), error: error.code };
  if (error instanceof Invalid) return { exitCode: 1, message: tell(error.errors), errors: error.errors };
  if (error instanceof Unavailable) return { exitCode: 3, message: asSentence(error.message), error: "unavailable" };
  const message = asSentence(inOneLine(error instanceof Error && error.message !== "" ? error.message : String(error)));
  const code = error instanceof Refused ? error.code : undefined;
  return { exitCode: exitCodeFor(error), message, ...(code !== undefined && { error: code }) };
}

function exitCodeFor(error: unknown): number {
  if (error instanceof Stopped) return exitCodeOf(error.signal);
  if (error instanceof WrongUsage || isWrongFlag(error)) return 2;
  return error instanceof Unreachable ? 3 : 1;
}

/** Checked by name: commands without settings do not load them. */
function isWrongFlag(error: unknown): boolean {
  return error instanceof Error && (error as Partial<SettingsError>).isFromFlag === true;
}

function inOneLine(message: string): string {
  return message.replaceAll(/\s*\n\s*/g, " ");
}

/** `location.not_found` has no sentence: the HTTP response is the code alone. */
function sentenceOf({ code }: Refusal): string {
  const { message } = describeRefusal(code);
  if (message !== undefined) return message;
  const [, thing] = /^(\w+)\.not_found$/.exec(code) ?? [];
  return thing === undefined
    ? asSentence(code.replaceAll("_", " "))
    : `There is no such ${spoken[thing] ?? thing.replaceAll("_", " ")}.`;
}

/** Terms of the terminal for nouns of the API. */
const spoken: Readonly<Record<string, string>> = {
  api_key: "API key",
  hook: "webhook",
  user: "person",
  workflow_run: "run",
};

/** Only a word is capitalized: a file name such as `body.json` stays as it is. */
function asSentence(text: string): string {
  const begun = /^[a-z]+(?=[\s,:;']|$)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
