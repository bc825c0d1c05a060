/** Finds by halves which contacts of a batch the database refuses to keep, so that one of them stops no other. */
import { attemptBisecting } from "../../../kit/bisect.ts";
import { rowFaultOf } from "../../../storage/faults.ts";
import type { FieldErrors } from "../../../vocabulary/errors.ts";

/** As attemptBisecting; `refused` hears of a contact that the database does not keep, and all else that is thrown is thrown on. */
export function attemptContacts<Item>(
  items: readonly Item[],
  attempt: (part: readonly Item[]) => Promise<void>,
  refused: (item: Item, errors: FieldErrors) => Promise<void> | void,
): Promise<void> {
  return attemptBisecting(items, attempt, {
    stops: (error) => rowFaultOf(error) === undefined,
    failed: (item, error) => refused(item, { contact: [`The database refuses this contact (${rowFaultOf(error)}).`] }),
  });
}
