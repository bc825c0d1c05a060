/** Compares transfers to owners, and their reversals, with the ledger: nothing that moves an owner's money is unaccounted for. */
import type { Stripe } from "stripe";
import { callStripe, StripeRefusal } from "../../../../outbound/stripe.ts";
import { placeholders } from "../../../../storage/rows.ts";
import { refreshCharge } from "../ledger/charge.service.ts";
import type { PlatformDeps } from "../platform-deps.ts";
import { idOf } from "../stripe-objects.ts";
import { findRecorded } from "./record-missing.ts";

interface Differences {
  /** Stripe's ids of what is recorded here and does not exist at Stripe, and the other way round. */
  readonly unknown: string[];
  readonly unrecorded: string[];
}

interface RecordedTransfer {
  readonly stripe_id: string;
  readonly transfer_id: string;
}

/** The recorded transfers of charges whose transfer at Stripe is another one. */
export async function findOtherTransfers(
  { database }: PlatformDeps,
  page: readonly Stripe.Charge[],
): Promise<string[]> {
  const text = `select stripe_id, transfer_id from platform_charges where stripe_id in (${placeholders(page.length)})`;
  const rows = await database.rowsOnce<RecordedTransfer>(
    text,
    page.map(({ id }) => id),
  );
  const transferOf = new Map(page.map(({ id, transfer }) => [id, idOf(transfer)]));
  return rows
    .filter(({ stripe_id, transfer_id }) => transferOf.get(stripe_id) !== transfer_id)
    .map(({ transfer_id }) => transfer_id);
}

/** Compares a page of transfers. Transfers to accounts of other services are ignored. */
export async function compareTransfers(deps: PlatformDeps, page: readonly Stripe.Transfer[]): Promise<Differences> {
  const own = await findOwn(deps, page);
  const reversals = new Map<string, string[]>();
  for (const transfer of own) reversals.set(transfer.id, await readReversals(deps, transfer));
  const listed = [...reversals.values()].flat();
  const unrecorded = [
    ...(await findUnrecordedTransfers(deps, own)),
    ...without(listed, await findRecorded(deps, "reversal", listed)),
  ];
  return { unrecorded, unknown: await findUnknownReversals(deps, own, new Set(listed)) };
}

const accountsText = "select account_id from apps where account_id";

/** The transfers to owners of apps. */
async function findOwn({ database }: PlatformDeps, page: readonly Stripe.Transfer[]): Promise<Stripe.Transfer[]> {
  const accounts = [...new Set(page.map(({ destination }) => idOf(destination)).filter((id) => id !== null))];
  if (accounts.length === 0) return [];
  const text = `${accountsText} in (${placeholders(accounts.length)})`;
  const rows = await database.rowsOnce<{ account_id: string }>(text, accounts);
  const own = new Set(rows.map(({ account_id }) => account_id));
  return page.filter(({ destination }) => own.has(idOf(destination) ?? ""));
}

/** A transfer carries its latest ten reversals; only one with more is read again. */
async function readReversals(deps: PlatformDeps, { id, reversals }: Stripe.Transfer): Promise<string[]> {
  return reversals.has_more ? listReversals(deps, id) : reversals.data.map((reversal) => reversal.id);
}

/** Empty for a transfer that does not exist at Stripe. */
async function listReversals({ stripe }: PlatformDeps, transferId: string): Promise<string[]> {
  try {
    const all = await callStripe(stripe, (client) =>
      client.transfers.listReversals(transferId, { limit: 100 }).autoPagingToArray({ limit: 10_000 }),
    );
    return all.map(({ id }) => id);
  } catch (error) {
    if (!(error instanceof StripeRefusal) || error.code !== "resource_missing") throw error;
    return [];
  }
}

/** A transfer whose charge was made during the comparison is recorded first. */
async function findUnrecordedTransfers(deps: PlatformDeps, own: readonly Stripe.Transfer[]): Promise<string[]> {
  const ids = own.map(({ id }) => id);
  const recorded = await findRecorded(deps, "transfer", ids);
  const missing = own.filter(({ id }) => !recorded.has(id));
  for (const { source_transaction } of missing)
    if (source_transaction !== null) await refreshCharge(deps, idOf(source_transaction));
  return missing.length === 0 ? [] : without(ids, await findRecorded(deps, "transfer", ids));
}

const reversalsText = `select e.stripe_id, e.charge_id from ledger_entries e where e.kind = 'reversal'
  and e.charge_id in (select t.charge_id from ledger_entries t where t.kind = 'transfer' and t.stripe_id`;
const transfersText = "select stripe_id from ledger_entries where kind = 'transfer' and charge_id = ?";

interface RecordedReversal {
  readonly stripe_id: string;
  readonly charge_id: number;
}

/** The recorded reversals of these transfers that are not among the `listed` ones, nor those of another transfer of their charge. */
async function findUnknownReversals(
  deps: PlatformDeps,
  own: readonly Stripe.Transfer[],
  listed: ReadonlySet<string>,
): Promise<string[]> {
  if (own.length === 0) return [];
  const text = `${reversalsText} in (${placeholders(own.length)}))`;
  const rows = await deps.database.rowsOnce<RecordedReversal>(
    text,
    own.map(({ id }) => id),
  );
  const unknown: string[] = [];
  // Rare: a charge has another transfer after a won dispute alone.
  for (const [charge, missing] of Map.groupBy(
    rows.filter(({ stripe_id }) => !listed.has(stripe_id)),
    ({ charge_id }) => charge_id,
  )) {
    const transfers = await deps.database.rows<{ stripe_id: string }>(transfersText, [charge]);
    const found: string[] = [];
    for (const { stripe_id: id } of transfers) found.push(...(await listReversals(deps, id)));
    const ids = missing.map(({ stripe_id }) => stripe_id);
    unknown.push(...without(ids, new Set(found)));
  }
  return unknown;
}

function without(ids: readonly string[], known: ReadonlySet<string>): string[] {
  return ids.filter((id) => !known.has(id));
}
