/** Finds ledger entries of a kind whose objects are missing from Stripe's list, while that list is read page by page, newest first. */
import type { PlatformDeps } from "../platform-deps.ts";
import type { LedgerKind } from "../../../../vocabulary/states.ts";
import { toDate } from "../stripe-objects.ts";

export interface ListedObject {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
}

// The transfer of a charge is compared with its charge: its entry has the time of the charge.
const rangeText = `select e.stripe_id from ledger_entries e where e.occurred_at >= ? and e.occurred_at <= ? and e.kind = ?
    and (e.kind <> 'transfer' or not exists (select 1 from platform_charges c where c.id = e.charge_id and c.transfer_id = e.stripe_id))
  order by e.occurred_at, e.id limit 10000`;
/** The last second of the year 9999, the latest time that both databases can store. */
const forever = 253_402_300_799;

/** `since` is the start of the list, in seconds since 1970. */
export function watchUnlisted({ database }: PlatformDeps, kind: LedgerKind, since: number) {
  const found: string[] = [];
  let until = forever;
  // The objects of a second may be split over two pages: they are checked with the second page.
  let listed = new Set<string>();

  async function check(from: number): Promise<void> {
    const rows = await database.rows<{ stripe_id: string }>(rangeText, [toDate(from), toDate(until), kind]);
    found.push(...rows.map(({ stripe_id }) => stripe_id).filter((id) => !listed.has(id)));
  }

  return {
    /** Checks the entries that are newer than the oldest second of the page. */
    async next(page: readonly ListedObject[]): Promise<void> {
      for (const { id } of page) listed.add(id);
      const oldest = page.at(-1)!.created;
      if (oldest === until) return;
      await check(oldest + 1);
      listed = new Set(page.filter(({ created }) => created === oldest).map(({ id }) => id));
      until = oldest;
    },
    /** Checks the rest; resolves to Stripe's ids of all objects found. */
    async finish(): Promise<string[]> {
      await check(since);
      return found;
    },
  };
}
