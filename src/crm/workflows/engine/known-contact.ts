/**
 * The contact of a run, as events and templates show it: read once, and again after a node has changed it. The engine holds the lock of the
 * contact while it moves a run, so only nodes of the run can change it meanwhile.
 */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { getRecordRow } from "../../contacts/contact.queries.ts";
import type { RecordRow } from "../../contacts/contact.row.ts";
import type { KnownContact } from "../definition/node-type.ts";
import type { SharedReads } from "./shared-reads.ts";

export interface HeldContact extends KnownContact {
  /** To be called after each action that does not keep it up to date. */
  forget(): void;
}

export function createKnownContact(
  change: Change<LocationContext>,
  contactId: number,
  read: SharedReads["record"] = getRecordRow,
): HeldContact {
  let known: RecordRow | undefined;
  return {
    async read() {
      known ??= await read(change, contactId);
      return known;
    },
    update(after) {
      if (known !== undefined) known = after(known);
    },
    forget() {
      known = undefined;
    },
  };
}
