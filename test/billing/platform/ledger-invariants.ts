/** What holds of the ledger at every moment, and once all work is done, compared with the books of the fake Stripe. */
import { expect } from "vitest";
import type { LedgerKind } from "../../../src/vocabulary/states.ts";
import type { PlatformWorld } from "../../support/platform-billing.ts";
import { isLiving } from "../../support/stripe/books.ts";
import type { Books, Movement } from "../../support/stripe/books.ts";

const line = ({ kind, id, amount }: Movement): string => `${kind} ${id} ${amount}`;

/** The charge that a movement of money belongs to. */
function chargeOf(books: Books, { kind, id }: Movement): string {
  const ofCause = (cause: string) => (books.refunds.get(cause) ?? books.disputes.get(cause))!.charge;
  const ofTransfer = (transfer: string): string => {
    const { source_transaction: source, metadata } = books.transfers.get(transfer)!;
    return (source as string | null) ?? ofCause(metadata!["cause"]!);
  };
  if (kind === "charge") return id;
  if (kind === "transfer") return ofTransfer(id);
  if (kind !== "reversal") return ofCause(id);
  const { metadata, transfer } = books.reversals.get(id)!;
  return metadata?.["cause"] === undefined ? ofTransfer(transfer) : ofCause(metadata["cause"]);
}

/** The charges about which a webhook is not delivered, an event is not applied, or a call is not done. */
async function findOutstanding({ stripe, world }: PlatformWorld): Promise<Set<string>> {
  const { books, accepted } = stripe;
  const ofSubject = (id: string) => (books.disputes.get(id) ?? books.refunds.get(id))?.charge ?? id;
  const undelivered = [...books.events.values()]
    .filter(({ id }) => !accepted.has(id))
    .map(({ data }) => data.object as { id: string; charge?: string })
    .map(({ id, charge }) => charge ?? id);
  const rows = await world.service.database.rows<{ subject: string }>(`
    select subject from stripe_events where applied_at is null
    union all select c.stripe_id from stripe_calls k join platform_charges c on c.id = k.charge_id where k.done_at is null and k.failed_at is null`);
  return new Set([...undelivered, ...rows.map(({ subject }) => ofSubject(subject))]);
}

interface ChargeSums {
  readonly stripe_id: string;
  readonly amount_cents: number;
  readonly taken_cents: number;
  /** Refunds and disputes in the ledger, and refunds that are intended and not done. */
  readonly recorded: number | string;
  readonly reserved: number | string;
  readonly net: number | string;
  readonly transferred: number | string;
}

const sum = (kinds: string) =>
  `coalesce((select sum(case ${kinds} else 0 end) from ledger_entries e where e.charge_id = c.id), 0)`;
const chargesText = `select c.stripe_id, c.amount_cents, c.taken_cents,
    ${sum("e.kind when 'refund' then e.amount_cents when 'dispute' then e.amount_cents when 'refund_failed' then -e.amount_cents when 'dispute_won' then -e.amount_cents")} as recorded,
    coalesce((select sum(k.amount_cents) from stripe_calls k where k.charge_id = c.id and k.kind = 'refund' and k.done_at is null and k.failed_at is null), 0) as reserved,
    ${sum("e.kind when 'charge' then e.amount_cents when 'refund' then -e.amount_cents when 'dispute' then -e.amount_cents when 'refund_failed' then e.amount_cents when 'dispute_won' then e.amount_cents")} as net,
    ${sum("e.kind when 'transfer' then e.amount_cents when 'reversal' then -e.amount_cents")} as transferred
  from platform_charges c`;

/**
 * At every moment: each charge is balanced, its reserved amount is exact, the ledger has nothing that Stripe has not, and what it lacks is
 * outstanding: a webhook that is not delivered, an event that is not applied, or a call that is intended and not done.
 */
export async function expectConsistent(platform: PlatformWorld): Promise<void> {
  const { books } = platform.stripe;
  const charges = await platform.world.service.database.rows<ChargeSums>(chargesText);
  for (const { stripe_id, net, transferred, taken_cents, recorded, reserved } of charges) {
    expect(Number(transferred), `transfers − reversals of ${stripe_id}`).toBe(Number(net));
    expect(taken_cents, `taken of ${stripe_id}`).toBe(Number(recorded) + Number(reserved));
  }
  const ledger = await platform.ledger();
  const written = new Set(ledger);
  expect(ledger.length, "entries are unique").toBe(written.size);
  expect([...written.difference(new Set(books.movements.map(line)))], "in the ledger, and not at Stripe").toEqual([]);
  const missing = books.movements.filter((movement) => !written.has(line(movement)));
  if (missing.length === 0) return;
  const outstanding = await findOutstanding(platform);
  const lost = missing.filter((movement) => !outstanding.has(chargeOf(books, movement)));
  expect(lost.map(line), "at Stripe, not in the ledger, and nothing is outstanding").toEqual([]);
}

/** What each kind adds to the balance of the service, which keeps nothing. */
export const signs = {
  charge: 1,
  refund: -1,
  refund_failed: 1,
  dispute: -1,
  dispute_won: 1,
  transfer: -1,
  reversal: 1,
} as const satisfies Record<LedgerKind, 1 | -1>;

const movesMoney = /^(refunds|transfers|transfers\/\w+\/reversals|checkout\/sessions|subscriptions\/\w+)$/;
/** An idempotency key that the service has recorded; the package makes others up. */
const ownKey = /^(refund|transfer|reversal|checkout|cancel|resume|price)-/;

const month = 28 * 86_400;

/** Once all work is done: the ledger is Stripe's books, owners got what customers paid, and no customer paid twice for a month. */
export async function expectSettled(platform: PlatformWorld): Promise<void> {
  await expectConsistent(platform);
  const { books } = platform.stripe;
  expect(await platform.ledger()).toEqual(platform.books());
  const open = Map.groupBy(books.movements, ({ account }) => account);
  for (const [account, moved] of open)
    expect(
      moved.reduce((total, { kind, amount }) => total + signs[kind] * amount, 0),
      `left of ${account}`,
    ).toBe(0);

  const living = [...books.subscriptions.values()].filter(isLiving).map(({ id }) => payerOf(books, id));
  expect(living.length, "living subscriptions per payer and app").toBe(new Set(living).size);
  // A disputed charge cannot be refunded, and one whose refund failed was not.
  const failed = [...books.refunds.values()].filter(({ status }) => status === "failed");
  const excused = new Set([...books.disputes.values(), ...failed].map(({ charge }) => charge));
  const paid = [...books.charges.values()]
    .filter(({ id, amount, amount_refunded }) => amount_refunded < amount && !excused.has(id))
    .map(({ payment_intent }) => invoiceOf(books, payment_intent as string))
    .map(({ period_start, parent }) => ({
      begins: period_start!,
      payer: payerOf(books, parent!.subscription_details!.subscription as string),
    }));
  await expectAgreedPrices(platform);
  const unkeyed = platform.stripe.asked.filter(
    ({ method, path, key }) => method === "POST" && movesMoney.test(path) && !ownKey.test(key ?? ""),
  );
  expect(unkeyed, "calls that a crash could repeat").toEqual([]);
  for (const [payer, invoices] of Map.groupBy(paid, (invoice) => invoice.payer)) {
    const times = invoices.map(({ begins }) => begins).toSorted((a, b) => a - b);
    const twice = times.filter((time, index) => index > 0 && time - times[index - 1]! < month);
    expect(twice, `months that ${payer} paid twice`).toEqual([]);
  }
}

const otherPriceText = `select c.stripe_id, c.charged_at, (select min(p.notified_at) from stripe_calls p
    where p.app_subscription_id = c.app_subscription_id and p.kind = 'price' and p.amount_cents = c.amount_cents) as told_at
  from platform_charges c where not exists (
    select 1 from platform_checkouts k where k.app_subscription_id = c.app_subscription_id and k.price_cents = c.amount_cents)`;

/** Each charge has the price of a checkout of its payer, or one that was mailed to them 30 days before. Stripe's times are whole seconds. */
async function expectAgreedPrices({ world }: PlatformWorld): Promise<void> {
  const rows = await world.service.database.rows<{ stripe_id: string; charged_at: number; told_at: number | null }>(
    otherPriceText,
  );
  const notice = 30 * 86_400_000 - 1000;
  const unagreed = rows.filter(({ charged_at, told_at }) => told_at === null || charged_at < told_at + notice);
  expect(unagreed, "charges of a price that their payer did not agree to").toEqual([]);
}

function payerOf({ subscriptions }: Books, subscription: string): string {
  const { app, location, company } = subscriptions.get(subscription)!.metadata!;
  return JSON.stringify([app, location, company]);
}

function invoiceOf({ invoicePayments, invoices }: Books, intent: string) {
  const payment = [...invoicePayments.values()].find((one) => one.payment?.payment_intent === intent)!;
  return invoices.get(payment.invoice as string)!;
}
