/** Bounds how often a password may be tried: from one address, and for one account, whether there is one or not. */
import { createRateLimiter } from "../../http/budget/rate-limit.ts";
import { emailKey } from "../../kit/text-key.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { TooManyRequests } from "../../vocabulary/errors.ts";

/** Many people may share an address; nobody mistypes a password ten times in as many minutes. */
const perAddress = { requests: 60, seconds: 600 };
const perAccount = { requests: 10, seconds: 600 };

export interface SignInAttempts {
  /** Counts one attempt, before anything is known of it. Throws TooManyRequests. */
  spend(address: string, email: string): void;
}

export function createSignInAttempts(clock: Clock): SignInAttempts {
  const ofAddress = createRateLimiter(perAddress, clock);
  const ofAccount = createRateLimiter(perAccount, clock);
  return {
    spend(address, email) {
      // An address that has spent its own cannot spend those of others.
      for (const budget of [() => ofAddress(address), () => ofAccount(emailKey(email))]) {
        const spent = budget();
        if (spent?.allowed === false) throw new TooManyRequests(spent.resetSeconds);
      }
    },
  };
}
