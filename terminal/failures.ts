/** The one place where what went wrong becomes a sentence and an exit code: 1 refused or failed, 2 wrong usage, 3 unreachable. */
import { describeRefusal, Invalid, Refusal, Unavailable } from "../src/vocabulary/errors.ts";
import type { FieldErrors } from "../src/vocabulary/errors.ts";

/** The command line does not say enough, or says something that cannot be meant. */
export class WrongUsage extends Error {}

/** Nothing answers where the command has to reach something. */
export class Unreachable extends Error {}

export interface Failure {
  readonly exitCode: 1 | 2 | 3;
  readonly message: string;
  /** The code that HTTP would answer with, where there is one. */
  readonly error?: string;
  readonly errors?: FieldErrors;
}

/** What to tell of `error`, whatever it is. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Refusal) return { exitCode: 1, message: sentenceOf(error), error: error.code };
  if (error instanceof Invalid) {
    return { exitCode: 1, message: Object.values(error.errors).flat().join(" "), errors: error.errors };
  }
  if (error instanceof Unavailable) return { exitCode: 3, message: asSentence(error.message), error: "unavailable" };
  const message = asSentence(error instanceof Error && error.message !== "" ? error.message : String(error));
  return { exitCode: error instanceof WrongUsage ? 2 : error instanceof Unreachable ? 3 : 1, message };
}

/** `location.not_found` has no sentence of its own: over HTTP the code alone is the answer. */
function sentenceOf({ code }: Refusal): string {
  const { message } = describeRefusal(code);
  if (message !== undefined) return message;
  const [, thing] = /^(\w+)\.not_found$/.exec(code) ?? [];
  return thing === undefined
    ? asSentence(code.replaceAll("_", " "))
    : `There is no such ${thing.replace("api_key", "API key").replaceAll("_", " ")}.`;
}

function asSentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
