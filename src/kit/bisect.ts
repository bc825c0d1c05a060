/** Finds by halves which items of a batch can never be done, so that one of them stops no other. */

interface BisectOptions<Item> {
  /** Whether an error says nothing about the items: then it is thrown, and no further item is attempted. */
  readonly stops: (error: unknown) => boolean;
  /** Hears of an item that failed by itself. */
  readonly failed: (item: Item, error: unknown) => Promise<void> | void;
  /** How often an item is attempted by itself before it has failed; once unless said otherwise. */
  readonly tries?: number;
}

/**
 * Attempts all `items`; where that throws, one half and then the other, down to the item that it throws for. What went well is not
 * attempted again, and everything goes in the order of `items`.
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
