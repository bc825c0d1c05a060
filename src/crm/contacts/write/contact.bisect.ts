/** Finds the contacts of a batch that the database rejects, by bisection, so that they do not fail the others. */
import { attemptBisecting } from "../../../kit/bisect.ts";
import { rowFaultOf } from "../../../storage/faults.ts";
import type { FieldErrors } from "../../../vocabulary/errors.ts";

/** Like attemptBisecting; `refused` is called for a contact that the database rejects. Other errors are rethrown. */
export function attemptBisectingContacts<Item>(
  items: readonly Item[],
  attempt: (part: readonly Item[]) => Promise<void>,
  refused: (item: Item, errors: FieldErrors) => Promise<void> | void,
): Promise<void> {
  return attemptBisecting(items, attempt, {
    stops: (error) => rowFaultOf(error) === undefined,
    failed: (item, error) => refused(item, { contact: [`The database refuses this contact (${rowFaultOf(error)}).`] }),
  });
}
