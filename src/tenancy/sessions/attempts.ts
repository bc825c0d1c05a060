/** Rate limits for sign-ins, codes of the second factor, and reset links; those by account whether or not the account exists. */
import { requireLeft } from "../../http/budget/rate-limit.ts";
import type { RateLimit, RateLimiter } from "../../http/budget/rate-limit.ts";
import type { Tally } from "../../http/budget/tally.ts";
import { emailKey } from "../../kit/text-key.ts";

export interface SignInAttempt {
  readonly address: string;
  readonly email: string;
  /** The id of a browser that has signed in to this account before (known-browser.ts). */
  readonly browser: string | undefined;
}

/** Counts a sign-in attempt before its credentials are checked; returns a function to call on success, which refunds it. Throws TooManyRequests. */
export type BeginSignIn = (attempt: SignInAttempt) => Promise<() => Promise<void>>;

interface Counter {
  readonly holder: string;
  readonly limit: RateLimit;
  /** The effect of a success: `clear` resets a counter that only this person uses; `back` refunds the attempt on a shared counter. */
  readonly success: "clear" | "back";
}

/**
 * A person mistypes a password fewer than ten times in ten minutes. Many people may share an IP address. All addresses together have three
 * hundred attempts per account: enough to stop guessing from many addresses, and enough that a few attackers cannot lock the person out of a
 * new browser.
 */
function countersOf({ address, email, browser }: SignInAttempt): readonly Counter[] {
  const seconds = 600;
  if (browser !== undefined) {
    return [{ holder: `sign-ins by ${browser}`, limit: { requests: 10, seconds }, success: "clear" }];
  }
  const account = emailKey(email);
  return [
    // First, so that an address over its own limit does not use up the limit of an account.
    { holder: `sign-ins from ${address}`, limit: { requests: 60, seconds }, success: "back" },
    { holder: `sign-ins from ${address} of ${account}`, limit: { requests: 10, seconds }, success: "clear" },
    { holder: `sign-ins of ${account}`, limit: { requests: 300, seconds }, success: "back" },
  ];
}

export function createSignInAttempts(tally: Tally): BeginSignIn {
  return (attempt) => begin(tally, countersOf(attempt));
}

export interface CodeAttempt {
  readonly userId: number;
  /** As for a sign-in. */
  readonly browser: string | undefined;
}

/** The same for a code of the second factor. */
export type BeginCode = (attempt: CodeAttempt) => Promise<() => Promise<void>>;

/**
 * A code has six digits, three are valid at a time, and the password is known already: fifty guesses a day hit with a
 * probability of 1 in 6,667, from however many addresses. A browser that has signed in to the account before has a
 * counter of its own, so that the others cannot lock the person out.
 */
export function createCodeAttempts(tally: Tally): BeginCode {
  return ({ userId, browser }) => {
    const holder = browser === undefined ? `codes of ${userId}` : `codes by ${browser}`;
    return begin(tally, [
      // First, so that what it refuses does not use up the day.
      { holder, limit: { requests: 10, seconds: 600 }, success: "clear" },
      { holder: `${holder} today`, limit: { requests: 50, seconds: 86_400 }, success: "clear" },
    ]);
  };
}

async function begin(tally: Tally, counters: readonly Counter[]): Promise<() => Promise<void>> {
  for (const { holder, limit } of counters) requireLeft(await tally("count", holder, limit));
  return async () => {
    await Promise.all(counters.map(({ success, holder, limit }) => tally(success, holder, limit)));
  };
}

/** Counts one request before it is processed. Throws TooManyRequests. */
export type LimitAttempts = (address: string, email: string) => Promise<void>;

/** Limits password reset requests, each of which may send a mail. `limiter` counts across all processes. */
export function createLinkRequests(limiter: (name: string, limit: RateLimit) => RateLimiter): LimitAttempts {
  const ofAddress = limiter("links from", { requests: 20, seconds: 3600 });
  const ofAccount = limiter("links of", { requests: 3, seconds: 3600 });
  return async (address, email) => {
    requireLeft(await ofAddress(address));
    requireLeft(await ofAccount(emailKey(email)));
  };
}
