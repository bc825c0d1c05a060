/** A neighbour of contacts: records that refer to a contact, and what the deletion of the contact does to them. */
import type { Change, LocationContext } from "../events/caller.ts";
import type { ContactReference } from "./contact-activity.ts";

export interface ContactNeighbour {
  /** The plural noun of the records. */
  readonly name: string;
  /** Every column that holds the id of a contact, as `table.column`. */
  readonly columns: readonly string[];
  /**
   * Runs in the change that deletes the contact. The contact is locked and already marked as deleted. `kept`: the rows are unchanged, and
   * hidden together with the contact.
   */
  readonly forget: "kept" | ((change: Change<LocationContext>, contact: ContactReference) => Promise<void>);
}
