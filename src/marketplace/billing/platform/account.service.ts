/** Connected accounts at Stripe, to which app owners are paid: creates one per app, and stores its state as read from Stripe. */
import { randomUUID } from "node:crypto";
import type { Stripe } from "stripe";
import type { Caller } from "../../../events/caller.ts";
import type { Network } from "../../../operation/network.ts";
import { callStripe } from "../../../outbound/stripe.ts";
import type { StripeConnection } from "../../../outbound/stripe.ts";
import type { Writer } from "../../../storage/rows.ts";
import type { AppView } from "../../apps/app.view.ts";
import { depsOfCaller } from "./platform-deps.ts";
import type { PlatformDeps } from "./platform-deps.ts";

interface AccountFacts {
  readonly id: string;
  readonly chargesEnabled: boolean;
  readonly payoutsEnabled: boolean;
  /** Stripe's names of the requirements that the owner has not met yet. */
  readonly missing: string[];
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

/** Stores the state of an account. False if no app has it. */
async function writeAccount(change: Writer, facts: AccountFacts): Promise<boolean> {
  const { id, chargesEnabled, payoutsEnabled } = facts;
  return (await change.rows(stateText, [chargesEnabled, payoutsEnabled, id])).length > 0;
}

const knownText = "select id from apps where account_id = ?";

/** Reads an account from Stripe and stores its state. False if no app has it. */
export async function refreshAccount({ database, stripe }: PlatformDeps, id: string): Promise<boolean> {
  if ((await database.rows(knownText, [id])).length === 0) return false;
  const facts = await readAccount(stripe, id);
  return database.transaction((change) => writeAccount(change, facts));
}

const keyText = "update apps set account_key = coalesce(account_key, ?) where id = ? returning account_key, account_id";
const madeText = "update apps set account_id = ? where id = ? and account_id is null";

interface AccountRow {
  readonly account_key: string;
  readonly account_id: string | null;
}

/**
 * Creates the owner's connected account, idempotently: the idempotency key is committed before the call. Stripe collects the requirements from the
 * owner, and charges fees and losses to the platform. Returns a single-use onboarding link,
 * created anew each time: a stored idempotency key would return a used one.
 */
export async function connectAccount(caller: Caller, network: Network, { id, client_id }: AppView) {
  const { stripe } = depsOfCaller(caller, network);
  const [app] = await caller.change((change) => change.rows<AccountRow>(keyText, [`account-${randomUUID()}`, id]));
  const accountId = app!.account_id ?? (await createAccount(stripe, client_id, app!.account_key));
  if (app!.account_id === null) await caller.change(async (change) => change.send(madeText, [accountId, id]));
  const address = caller.tools.links.to("/");
  const { url } = await callStripe(stripe, (client) =>
    client.accountLinks.create({
      account: accountId,
      type: "account_onboarding",
      refresh_url: address,
      return_url: address,
    }),
  );
  return { ...(await writeState(caller, stripe, client_id, accountId)), url };
}

async function createAccount(stripe: StripeConnection, clientId: string, idempotencyKey: string): Promise<string> {
  const { id } = await callStripe(stripe, (client) =>
    client.accounts.create(
      {
        controller: {
          fees: { payer: "application" },
          losses: { payments: "application" },
          requirement_collection: "stripe",
          stripe_dashboard: { type: "express" },
        },
        capabilities: { transfers: { requested: true }, card_payments: { requested: true } },
        metadata: { app: clientId },
      },
      { idempotencyKey },
    ),
  );
  return id;
}

const accountText = "select account_id from apps where id = ?";

/** The state of the account, read from Stripe. Without an account, `missing` is `account`. */
export async function readAccountState(caller: Caller, network: Network, { id, client_id }: AppView) {
  const { stripe } = depsOfCaller(caller, network);
  const [app] = await caller.rows<{ account_id: string | null }>(accountText, [id]);
  if (app!.account_id !== null) return writeState(caller, stripe, client_id, app!.account_id);
  return { client_id, account_id: null, charges_enabled: false, payouts_enabled: false, missing: ["account"] };
}

async function writeState(caller: Caller, stripe: StripeConnection, client_id: string, account_id: string) {
  const facts = await readAccount(stripe, account_id);
  await caller.change((change) => writeAccount(change, facts));
  const { chargesEnabled: charges_enabled, payoutsEnabled: payouts_enabled, missing } = facts;
  return { client_id, account_id, charges_enabled, payouts_enabled, missing };
}
