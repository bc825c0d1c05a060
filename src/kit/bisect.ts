/** Bisects a failing batch to find the items that fail on their own, so that one bad item does not block the others. */

interface BisectOptions<Item> {
  /** Whether an error is unrelated to the items: it is rethrown, and nothing further is attempted. */
  readonly stops: (error: unknown) => boolean;
  /** Called with an item that fails on its own. */
  readonly failed: (item: Item, error: unknown) => Promise<void> | void;
  /** Attempts for a single item before it counts as failed; default: 1. */
  readonly tries?: number;
}

/**
 * Attempts all `items` at once; on an error, each half in turn, down to single items. Nothing that succeeded is
 * attempted again, and the order of `items` is kept.
 */
export async function attemptBisecting<Item>(
  items: readonly Item[],
  attempt: (part: readonly Item[]) => Promise<void>,
  { stops, failed, tries = 1 }: BisectOptions<Item>,
): Promise<void> {
  for (let left = items.length === 1 ? tries : 1; left > 0; left -= 1) {
    try {
      return await attempt(items);
    } catch (error) {
      if (stops(error)) throw error;
      if (items.length === 1 && left === 1) return failed(items[0]!, error);
    }
  }
  const middle = Math.ceil(items.length / 2);
  await attemptBisecting(items.slice(0, middle), attempt, { stops, failed, tries });
  await attemptBisecting(items.slice(middle), attempt, { stops, failed, tries });
}
