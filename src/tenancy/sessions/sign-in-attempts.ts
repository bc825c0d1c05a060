/** Bounds how often a password may be tried: from one address, and for one account, whether there is one or not. */
import type { RateLimit, Spend } from "../../http/budget/rate-limit.ts";
import { emailKey } from "../../kit/text-key.ts";
import { TooManyRequests } from "../../vocabulary/errors.ts";

/** Many people may share an address; nobody mistypes a password ten times in as many minutes. */
const perAddress: RateLimit = { requests: 60, seconds: 600 };
const perAccount: RateLimit = { requests: 10, seconds: 600 };

/** Counts one attempt, before anything is known of it. Throws TooManyRequests. */
export type SpendAttempt = (address: string, email: string) => Promise<void>;

/** `limiter` makes what counts: over all processes, where several answer on one port. */
export function createSignInAttempts(limiter: (name: string, limit: RateLimit) => Spend): SpendAttempt {
  const ofAddress = limiter("sign-ins from", perAddress);
  const ofAccount = limiter("sign-ins of", perAccount);
  return async (address, email) => {
    // An address that has spent its own cannot spend those of others.
    for (const budget of [() => ofAddress(address), () => ofAccount(emailKey(email))]) {
      const spent = await budget();
      if (spent?.allowed === false) throw new TooManyRequests(spent.resetSeconds);
    }
  };
}
