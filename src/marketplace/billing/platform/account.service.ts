/** The accounts at Stripe to which app owners are paid: made once for an app, and read when Stripe says that they changed. */
import type { Stripe } from "stripe";
import { callStripe } from "../../../outbound/stripe.ts";
import type { StripeConnection } from "../../../outbound/stripe.ts";
import type { Writer } from "../../../storage/rows.ts";
import type { PlatformDeps } from "./platform-deps.ts";

export interface AccountFacts {
  readonly id: string;
  readonly chargesEnabled: boolean;
  readonly payoutsEnabled: boolean;
  /** What Stripe still wants to know of the owner, by its own names. */
  readonly missing: readonly string[];
}

function toAccountFacts({ id, charges_enabled, payouts_enabled, requirements }: Stripe.Account): AccountFacts {
  const missing = [...(requirements?.currently_due ?? []), ...(requirements?.past_due ?? [])];
  return {
    id,
    chargesEnabled: charges_enabled,
    payoutsEnabled: payouts_enabled,
    missing: [...new Set(missing)].toSorted(),
  };
}

async function readAccount(stripe: StripeConnection, id: string): Promise<AccountFacts> {
  return toAccountFacts(await callStripe(stripe, (client) => client.accounts.retrieve(id)));
}

const stateText = "update apps set charges_enabled = ?, payouts_enabled = ? where account_id = ? returning id";

/** False where no app has the account. */
async function writeAccount(change: Writer, facts: AccountFacts): Promise<boolean> {
  const { id, chargesEnabled, payoutsEnabled } = facts;
  return (await change.rows(stateText, [chargesEnabled, payoutsEnabled, id])).length > 0;
}

const knownText = "select id from apps where account_id = ?";

/** Reads the account at Stripe and writes its state. False for one that no app has. */
export async function refreshAccount({ database, stripe }: PlatformDeps, id: string): Promise<boolean> {
  if ((await database.rows(knownText, [id])).length === 0) return false;
  const facts = await readAccount(stripe, id);
  return database.transaction((change) => writeAccount(change, facts));
}
