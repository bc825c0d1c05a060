/**
 * Device cookies (OWASP): a browser that has signed in to an account carries an encrypted mark per account in a cookie. A mark does not sign in;
 * it gives the browser its own attempt counter, so that attempts from elsewhere cannot lock the person out.
 */
import { randomUUID } from "node:crypto";
import type { MasterKeys } from "../../kit/secrets/master-keys.ts";
import { emailKey } from "../../kit/text-key.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { limits } from "../../vocabulary/limits.ts";

export interface KnownBrowsers {
  /** The id of the browser for an account; undefined if none of the marks is for this account. */
  idOf(marks: string, email: string): string | undefined;
  /** Puts a new mark for this account first and removes the earlier one. */
  mark(marks: string, email: string): string;
}

/** Marks per browser; the most recent ones are kept. */
const mostMarks = 5;

/** Does not occur in a sealed mark, and needs no quoting in a cookie. */
const separator = "~";

interface KnownBrowserDeps {
  readonly vault: Pick<MasterKeys, "seal" | "open">;
  readonly clock: Clock;
}

export function createKnownBrowsers({ vault, clock }: KnownBrowserDeps): KnownBrowsers {
  function read(mark: string, email: string): string | undefined {
    try {
      const [id = "", ends = ""] = vault.open(mark, contextOf(email)).split(" ");
      return Number(ends) > clock.now().getTime() ? id : undefined;
    } catch {
      // Sealed for another account or with a removed master key, or forged.
      return undefined;
    }
  }
  const split = (marks: string) => marks.split(separator, mostMarks).filter((mark) => mark !== "");

  return {
    idOf: (marks, email) =>
      split(marks)
        .map((mark) => read(mark, email))
        .find((id) => id !== undefined),
    mark(marks, email) {
      const ends = clock.now().getTime() + limits.knownBrowserSeconds * 1000;
      const others = split(marks).filter((mark) => read(mark, email) === undefined);
      const own = vault.seal(`${randomUUID()} ${ends}`, contextOf(email));
      return [own, ...others].slice(0, mostMarks).join(separator);
    },
  };
}

function contextOf(email: string): string {
  return `browser known to ${emailKey(email)}`;
}
