/**
 * Browsers that have signed in to an account before (OWASP, "device cookies"): a sealed mark in a cookie, one for each account. It signs nobody in;
 * attempts of such a browser are counted apart, so that attempts from elsewhere cannot keep its person out.
 */
import { randomUUID } from "node:crypto";
import type { MasterKeys } from "../../kit/secrets/master-keys.ts";
import { emailKey } from "../../kit/text-key.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { limits } from "../../vocabulary/limits.ts";

export interface KnownBrowsers {
  /** The id of the browser with these marks for an account; undefined where none of them is of this account. */
  idOf(marks: string, email: string): string | undefined;
  /** The marks with one for this account in front, in the place of an earlier one. */
  mark(marks: string, email: string): string;
}

/** A browser is known to this many accounts, those that signed in last. */
const mostMarks = 5;

/** Stands in no seal, and needs no quotes in a cookie. */
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
      // Of another account, of an older master key, or made up.
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
