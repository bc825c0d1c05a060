/** Finds by halves which items of a batch the database refuses to keep, so that one of them stops no other. */
import { rowFaultOf } from "../../../storage/faults.ts";
import type { FieldErrors } from "../../../vocabulary/errors.ts";

/**
 * Attempts all `items`; where the database refuses a row among them, one half and then the other, down to the item that it
 * refuses. What went well is not attempted again, and everything goes in the order of `items`. Throws on what is no row's fault.
 */
export async function attemptByHalves<Item>(
  items: readonly Item[],
  attempt: (part: readonly Item[]) => Promise<void>,
  refused: (item: Item, errors: FieldErrors) => Promise<void> | void,
): Promise<void> {
  try {
    await attempt(items);
  } catch (error) {
    const fault = rowFaultOf(error);
    if (fault === undefined) throw error;
    if (items.length === 1) return refused(items[0]!, { contact: [`The database refuses this contact (${fault}).`] });
    const middle = Math.ceil(items.length / 2);
    await attemptByHalves(items.slice(0, middle), attempt, refused);
    await attemptByHalves(items.slice(middle), attempt, refused);
  }
}
