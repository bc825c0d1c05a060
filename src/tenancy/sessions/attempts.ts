/** Bounds how often people may try something that only one of them should succeed at, whether there is such an account or not. */
import { requireLeft } from "../../http/budget/rate-limit.ts";
import type { RateLimit, Spend } from "../../http/budget/rate-limit.ts";
import type { Tally } from "../../http/budget/tally.ts";
import { emailKey } from "../../kit/text-key.ts";

export interface SignInAttempt {
  readonly address: string;
  readonly email: string;
  /** The id of a browser that has signed in to this account before (known-browser.ts). */
  readonly browser: string | undefined;
}

/** Counts an attempt to sign in before anything is known of it, and gives what takes it back when it succeeds. Throws TooManyRequests. */
export type BeginSignIn = (attempt: SignInAttempt) => Promise<() => Promise<void>>;

interface Counter {
  readonly holder: string;
  readonly limit: RateLimit;
  /** What a success does: it clears what its person alone can have counted, and elsewhere takes its own attempt back. */
  readonly success: "clear" | "back";
}

/**
 * A person mistypes a password less than ten times in ten minutes. Many people may share an address; and of one account all addresses together have
 * three hundred attempts, which stops guessing from many addresses without letting a few keep its person out of a new browser.
 */
function countersOf({ address, email, browser }: SignInAttempt): readonly Counter[] {
  const seconds = 600;
  if (browser !== undefined) {
    return [{ holder: `sign-ins by ${browser}`, limit: { requests: 10, seconds }, success: "clear" }];
  }
  const account = emailKey(email);
  return [
    // An address that has spent its own cannot spend those of others.
    { holder: `sign-ins from ${address}`, limit: { requests: 60, seconds }, success: "back" },
    { holder: `sign-ins from ${address} of ${account}`, limit: { requests: 10, seconds }, success: "clear" },
    { holder: `sign-ins of ${account}`, limit: { requests: 300, seconds }, success: "back" },
  ];
}

export function createSignInAttempts(tally: Tally): BeginSignIn {
  return async (attempt) => {
    const counters = countersOf(attempt);
    for (const { holder, limit } of counters) requireLeft(await tally("count", holder, limit));
    return async () => {
      await Promise.all(counters.map(({ success, holder, limit }) => tally(success, holder, limit)));
    };
  };
}

/** Counts one request, before anything is known of it. Throws TooManyRequests. */
export type SpendAttempt = (address: string, email: string) => Promise<void>;

/** Links to another password: each may end in a mail, which nobody should get by the dozen. `limiter` counts over all processes. */
export function createLinkRequests(limiter: (name: string, limit: RateLimit) => Spend): SpendAttempt {
  const ofAddress = limiter("links from", { requests: 20, seconds: 3600 });
  const ofAccount = limiter("links of", { requests: 3, seconds: 3600 });
  return async (address, email) => {
    requireLeft(await ofAddress(address));
    requireLeft(await ofAccount(emailKey(email)));
  };
}
