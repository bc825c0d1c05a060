/** The one place where what went wrong becomes a sentence and an exit code: 1 refused or failed, 2 wrong usage, 3 unreachable, 129, 130 and 143 stopped. */
import type { SettingsError } from "../config/settings.sources.ts";
import { describeRefusal, Invalid, Refusal, Unavailable } from "../src/vocabulary/errors.ts";
import type { FieldErrors } from "../src/vocabulary/errors.ts";
import { exitCodeOf } from "./signals.ts";
import type { StopSignal } from "./signals.ts";

/** The command line does not say enough, or says something that cannot be meant. */
export class WrongUsage extends Error {}

/** Nothing answers where the command has to reach something. */
export class Unreachable extends Error {}

/** A service that was asked over HTTP said no; `code` is its own, where it told one. */
export class Refused extends Error {
  readonly code: string | undefined;
  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

/** A signal ended work that was not done yet. `remedy` is a sentence that says what that means and how to go on. */
export class Stopped extends Error {
  readonly signal: StopSignal;
  constructor(signal: StopSignal, remedy: string) {
    super(`Stopped by ${signal}. ${remedy}`);
    this.signal = signal;
  }
}

/** Work that ended before its end because of `cause`; `result` is what is done, which --json prints beside the error. */
export class BrokeOff extends Error {
  readonly result: object;
  constructor(result: object, cause: unknown) {
    super("the work broke off", { cause });
    this.result = result;
  }
}

export interface Failure {
  readonly exitCode: number;
  readonly message: string;
  /** The code that HTTP would answer with, where there is one. */
  readonly error?: string;
  readonly errors?: FieldErrors;
}

/** What to tell of `error`, whatever it is; `tell` says for people what is wrong with which field. */
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

/** By its own word: the settings are not loaded for commands that read none. */
function isWrongFlag(error: unknown): boolean {
  return error instanceof Error && (error as Partial<SettingsError>).isFromFlag === true;
}

function inOneLine(message: string): string {
  return message.replaceAll(/\s*\n\s*/g, " ");
}

/** `location.not_found` has no sentence of its own: over HTTP the code alone is the answer. */
function sentenceOf({ code }: Refusal): string {
  const { message } = describeRefusal(code);
  if (message !== undefined) return message;
  const [, thing] = /^(\w+)\.not_found$/.exec(code) ?? [];
  return thing === undefined
    ? asSentence(code.replaceAll("_", " "))
    : `There is no such ${spoken[thing] ?? thing.replaceAll("_", " ")}.`;
}

/** Nouns of the API that the terminal calls otherwise. */
const spoken: Readonly<Record<string, string>> = {
  api_key: "API key",
  hook: "webhook",
  user: "person",
  workflow_run: "run",
};

function asSentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
