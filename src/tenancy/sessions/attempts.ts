/** Bounds how often people may try something that only one of them should succeed at: from one address, and for one account, whether there is one or not. */
import type { RateLimit, Spend } from "../../http/budget/rate-limit.ts";
import { emailKey } from "../../kit/text-key.ts";
import { TooManyRequests } from "../../vocabulary/errors.ts";

/** Counts one attempt, before anything is known of it. Throws TooManyRequests. */
export type SpendAttempt = (address: string, email: string) => Promise<void>;

/** Makes what counts: over all processes, where several answer on one port. */
type Limiter = (name: string, limit: RateLimit) => Spend;

/** Many people may share an address; nobody mistypes a password ten times in as many minutes. */
export function createSignInAttempts(limiter: Limiter): SpendAttempt {
  return createAttempts(limiter, "sign-ins", {
    perAddress: { requests: 60, seconds: 600 },
    perAccount: { requests: 10, seconds: 600 },
  });
}

/** Each may end in a mail, which nobody should get by the dozen. */
export function createLinkRequests(limiter: Limiter): SpendAttempt {
  return createAttempts(limiter, "links", {
    perAddress: { requests: 20, seconds: 3600 },
    perAccount: { requests: 3, seconds: 3600 },
  });
}

function createAttempts(
  limiter: Limiter,
  what: string,
  { perAddress, perAccount }: { readonly perAddress: RateLimit; readonly perAccount: RateLimit },
): SpendAttempt {
  const ofAddress = limiter(`${what} from`, perAddress);
  const ofAccount = limiter(`${what} of`, perAccount);
  return async (address, email) => {
    // An address that has spent its own cannot spend those of others.
    for (const budget of [() => ofAddress(address), () => ofAccount(emailKey(email))]) {
      const spent = await budget();
      if (spent?.allowed === false) throw new TooManyRequests(spent.resetSeconds);
    }
  };
}
