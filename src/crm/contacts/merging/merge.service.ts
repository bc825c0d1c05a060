/** Merges a contact into another: at once as far as `mostMoved` rows go, and the rest in pieces (merge.duties.ts). */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { defineInsert, sendRows } from "../../../storage/inserting/insert.ts";
import { Invalid, Refusal } from "../../../vocabulary/errors.ts";
import { addedValue } from "../../../events/define-event.ts";
import { reserveEventIds } from "../../../events/record.ts";
import { asActive } from "../../contact-activity.ts";
import { requireUnmerged, survivorIn } from "../../contact-redirects.ts";
import { recordCount } from "../contact-counts.ts";
import { contactDeleted, contactUpdated } from "../contact.events.ts";
import { getContactRow, lockContactStates } from "../contact.queries.ts";
import { toActivityRow, withActivity } from "../contact.row.ts";
import type { FullRow } from "../contact.row.ts";
import { toRecord } from "../contact.view.ts";
import { contactsToCopy, updateCopies } from "../neighbours/contact-copies.ts";
import { beginMove, moveBegun, moveNeighbours } from "../neighbours/contact-neighbours.ts";
import type { BatchContact } from "../write/contact.index.ts";
import { markAsDeleted, updateContacts } from "../write/contact.write.ts";
import { planMerge } from "./merge.plan.ts";

/** The most rows that one transaction moves: on SQLite, other changes wait for it. */
export const mostMoved = 2000;

const mergeInsert = defineInsert("contact_merges", ["contact_id", "merged_contact_id", "started_at", "finished_at"]);

const createdText = "update contacts set created_at = ? where id = ?";
const finishText = "update contact_merges set finished_at = ? where id = ?";

interface Merged {
  /** The contact that remains, as its timeline shows it after the merge. */
  readonly row: FullRow;
  /** Whether all rows were moved. */
  readonly isDone: boolean;
}

/**
 * Merges `otherId` into `contactId`, which keeps its values and takes those that it lacks; raises contact.updated for it and contact.deleted
 * for the other. Refuses `contact.not_found`, and with 422 on `contact_id` the same contact, one of another location, one that is gone, and one with
 * which it would exceed a limit. Locks both contacts.
 */
export async function mergeContacts(
  change: Change<LocationContext>,
  contactId: number,
  otherId: number,
  most = mostMoved,
): Promise<Merged> {
  const id = survivorIn(change, contactId);
  // Together: the statements of both travel in one round trip.
  const [{ one, other }, begin] = await Promise.all([
    lockBoth(change, id, otherId),
    beginMove(change, { from: otherId, to: id }),
  ]);
  const plan = planMerge(one.state, other.state, change.now);
  if ("fault" in plan) throw refuseOther(plan.fault);
  const { after, changed, changes } = plan;
  // First: the unique index is checked row by row, and the contact may take the reference.
  markAsDeleted(change, other.id, { keepsReference: !changed.has("external_ref") });
  const before = one.state;
  one.state = after;
  updateContacts(change, new Map([[one, changed]]));
  if (after.created_at !== before.created_at) change.send(createdText, [new Date(after.created_at), one.id]);
  await updateCopies(change, contactsToCopy([{ event: "contact.updated", contact: one, state: after, changes }]));
  const { name, phone_display, email } = after;
  const to = { id: one.id, name, phone_display, email };
  begin(to);
  reserveEventIds(change, 2);
  // The timeline gets its entry here: the contact is read once.
  const { moved, read: row } = await moveBegun(change, { from: other.id, to, most }, () =>
    getContactRow(change, one.id),
  );
  const isDone = moved < most;
  const now = change.now.getTime();
  sendRows(change, mergeInsert, [
    {
      contact_id: one.id,
      merged_contact_id: other.id,
      started_at: change.now,
      finished_at: isDone ? change.now : null,
    },
  ]);
  const updated = contactUpdated.of(
    { ...toRecord(row, now), merged_contact_id: other.id },
    {
      ...(changes.length === 0 ? {} : { changes }),
      timeline: [...changes, addedValue("merged_contact_id", other.id)],
    },
  );
  const deleted = contactDeleted.of(toRecord({ ...other.state, id: other.id, last_activity_at: now }, now));
  const [eventId] = await change.record(
    { ...updated, contactId: asActive(one.id) },
    { ...deleted, contactId: asActive(other.id) },
  );
  recordCount(change, -1);
  return { row: withActivity(row, toActivityRow(change, eventId!, updated)), isDone };
}

/** Moves some rows of a merge; both contacts are locked. Resolves to whether none is left. */
export async function moveSome(
  change: Change<LocationContext>,
  mergeId: number,
  step: Parameters<typeof moveNeighbours>[1],
): Promise<boolean> {
  const isDone = (await moveNeighbours(change, step)) < step.most;
  if (isDone) change.send(finishText, [change.now, mergeId]);
  return isDone;
}

interface Locked extends BatchContact {
  id: number;
}

async function lockBoth(
  change: Change<LocationContext>,
  id: number,
  otherId: number,
): Promise<{ readonly one: Locked; readonly other: Locked }> {
  const contacts = await lockContactStates(change, [id, otherId]);
  const one = contacts.get(id);
  if (one === undefined) {
    await requireUnmerged(change, [id]);
    throw new Refusal("contact.not_found");
  }
  if (id === otherId) throw refuseOther("must name another contact.");
  const other = contacts.get(otherId);
  if (other === undefined) throw refuseOther("must name a contact of the location that was not merged.");
  return { one, other };
}

function refuseOther(predicate: string): Invalid {
  return new Invalid({ contact_id: [`The contact id field ${predicate}`] });
}
