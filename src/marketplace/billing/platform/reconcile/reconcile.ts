/**
 * Reconciles this database with Stripe, page by page in bounded memory, to recover lost webhooks: recent events, then subscriptions, charges,
 * refunds, disputes, and the transfers to owners with their reversals. Reports the differences.
 */
import type { Stripe } from "stripe";
import { callStripe } from "../../../../outbound/stripe.ts";
import { handledTypes } from "../events/stripe-event.service.ts";
import type { LedgerKind } from "../../../../vocabulary/states.ts";
import type { PlatformDeps } from "../platform-deps.ts";
import { storeEvents, writeCharges, writeDisputes, writeMissingRefunds, writeSubscriptions } from "./record-missing.ts";
import { compareTransfers, findOtherTransfers } from "./transfers.ts";
import { watchUnlisted } from "./unlisted-entries.ts";
import type { ListedObject } from "./unlisted-entries.ts";

/** The compared period of events and of movements, in days; Stripe keeps events for 30. */
const eventDays = 3;
const movementDays = 120;
/** Objects per page of a list. */
const limit = 100;
const day = 86_400;

export interface ReconcileReport {
  /** The numbers of objects read from Stripe. */
  readonly events: number;
  readonly subscriptions: number;
  readonly charges: number;
  readonly refunds: number;
  readonly disputes: number;
  readonly transfers: number;
  /** Stripe's ids of objects that were missing here and are now recorded. */
  readonly added: string[];
  /** Stripe's ids of charges, refunds, disputes, transfers and reversals that are recorded here and do not exist at Stripe. */
  readonly unknown: string[];
  /** Stripe's ids of transfers to owners, and reversals of such, that no entry of the ledger accounts for. */
  readonly unrecorded: string[];
}

export async function reconcile(deps: PlatformDeps, signal?: AbortSignal): Promise<ReconcileReport> {
  const now = Math.floor(deps.clock.now().getTime() / 1000);
  const [added, unknown, unrecorded]: [string[], string[], string[]] = [[], [], []];
  const since = now - movementDays * day;
  const created = { gte: since };
  const read = <Item extends ListedObject>(list: ListPage<Item>, use: UsePage<Item>) =>
    eachPage(deps, signal, list, use);

  /** Reads a list whose objects each have an entry in the ledger, and finds entries without an object. */
  async function compare<Item extends ListedObject>(
    kind: LedgerKind,
    list: ListPage<Item>,
    use: (page: Item[]) => Promise<void>,
  ): Promise<number> {
    const unlisted = watchUnlisted(deps, kind, since);
    const count = await read(list, async (page) => {
      await use(page);
      await unlisted.next(page);
    });
    unknown.push(...(await unlisted.finish()));
    return count;
  }

  const events = await read(
    (stripe, after) =>
      stripe.events.list({ created: { gte: now - eventDays * day }, types: [...handledTypes], limit, ...after }),
    (page) => storeEvents(deps, page),
  );
  const subscriptions = await read(
    (stripe, after) => stripe.subscriptions.list({ status: "all", limit, ...after }),
    (page, readAt) => writeSubscriptions(deps, page, readAt),
  );
  const charges = await compare(
    "charge",
    (stripe, after) => stripe.charges.list({ created, limit, expand: ["data.transfer"], ...after }),
    async (page) => {
      added.push(...(await writeCharges(deps, page)));
      unknown.push(...(await findOtherTransfers(deps, page)));
    },
  );
  const refunds = await compare(
    "refund",
    (stripe, after) => stripe.refunds.list({ created, limit, expand: ["data.transfer_reversal"], ...after }),
    async (page) => void added.push(...(await writeMissingRefunds(deps, page))),
  );
  const disputes = await compare(
    "dispute",
    (stripe, after) => stripe.disputes.list({ created, limit, ...after }),
    async (page) => void added.push(...(await writeDisputes(deps, page))),
  );
  const transfers = await compare(
    "transfer",
    (stripe, after) => stripe.transfers.list({ created, limit, ...after }),
    async (page) => {
      const found = await compareTransfers(deps, page);
      unknown.push(...found.unknown);
      unrecorded.push(...found.unrecorded);
    },
  );
  return { events, subscriptions, charges, refunds, disputes, transfers, added, unknown, unrecorded };
}

type After = { readonly starting_after?: string };

type ListPage<Item> = (client: Stripe, after: After) => Promise<{ data: Item[]; has_more: boolean }>;
/** `readAt` is the time before the page was read. */
type UsePage<Item> = (page: Item[], readAt: Date) => Promise<void>;

/** Reads a list from Stripe page by page; resolves to the number of objects. */
async function eachPage<Item extends ListedObject>(
  { stripe, clock }: PlatformDeps,
  signal: AbortSignal | undefined,
  list: ListPage<Item>,
  use: UsePage<Item>,
): Promise<number> {
  let count = 0;
  let after: After = {};
  for (;;) {
    signal?.throwIfAborted();
    const readAt = clock.now();
    const { data, has_more } = await callStripe(stripe, (client) => list(client, after));
    count += data.length;
    if (data.length > 0) await use(data, readAt);
    if (!has_more) return count;
    after = { starting_after: data.at(-1)!.id };
  }
}
