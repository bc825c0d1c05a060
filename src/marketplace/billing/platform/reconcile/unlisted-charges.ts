/** Finds charges that are recorded here and missing from Stripe's list, while that list is read page by page, newest first. */
import type { PlatformDeps } from "../platform-deps.ts";
import { toDate } from "../stripe-objects.ts";

interface ListedCharge {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
}

const rangeText =
  "select stripe_id from platform_charges where charged_at >= ? and charged_at <= ? order by charged_at, id limit 10000";
/** The last second of the year 9999, the latest time that both databases can store. */
const forever = 253_402_300_799;

/** `since` is the start of the list, in seconds since 1970. */
export function watchUnlisted({ database }: PlatformDeps, since: number) {
  const found: string[] = [];
  let until = forever;
  // The charges of a second may be split over two pages: they are checked with the second page.
  let listed = new Set<string>();

  async function check(from: number): Promise<void> {
    const rows = await database.rows<{ stripe_id: string }>(rangeText, [toDate(from), toDate(until)]);
    found.push(...rows.map(({ stripe_id }) => stripe_id).filter((id) => !listed.has(id)));
  }

  return {
    /** Checks the charges that are newer than the oldest second of the page. */
    async next(page: readonly ListedCharge[]): Promise<void> {
      for (const { id } of page) listed.add(id);
      const oldest = page.at(-1)!.created;
      if (oldest === until) return;
      await check(oldest + 1);
      listed = new Set(page.filter(({ created }) => created === oldest).map(({ id }) => id));
      until = oldest;
    },
    /** Checks the rest; resolves to Stripe's ids of all charges found. */
    async finish(): Promise<string[]> {
      await check(since);
      return found;
    },
  };
}
