/** The first transaction of an erasure: the contact is deleted and its values are gone; what refers to it follows in pieces. */
import type { Change, LocationContext } from "../../events/caller.ts";
import { auditOrigin, recordAudit } from "../../operation/audit/record-audit.ts";
import { listed, listedTexts } from "../../storage/json.ts";
import { defineInsert, insertRows } from "../../storage/inserting/insert.ts";
import { sql } from "../../storage/sql-text.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { deleteContact } from "../contacts/contact.service.ts";
import { blankColumns, columnNames } from "../contacts/write/contact.columns.ts";
import { findErasure, lockPerson } from "./erasure.queries.ts";
import type { PersonContact } from "./erasure.queries.ts";
import { firstStep } from "./erasure.steps.ts";
import type { ErasureRow } from "./erasure.view.ts";

const erasureInsert = defineInsert(
  "contact_erasures",
  ["location_id", "contact_id", "contact_ids", "step", "removed", "started_at", "finished_at"],
  { leaves: ["place", "reached"] },
);

/** Every column that holds a value; the rows stay, since events and runs name their ids. */
const blankText = sql`update contacts set ${columnNames.map((column) => `${column} = ?`).join(", ")}, next_task_id = null
  where id in ${listed}`;
const blankValues = columnNames.map((column) => blankColumns[column]);

/** No piece of a merge is moved from now on: what refers to either contact is removed. */
const endMergesText = sql`update contact_merges set finished_at = ? where contact_id in ${listed} and finished_at is null`;

/** Conversations of the person before the contact was known, by its address. */
const claimText = sql`update conversations set contact_id = ? where contact_id is null and sender_key in ${listedTexts}
  and channel_id in (select id from channels where location_id = ?)`;
const leaveText = sql`update conversations set sender_key = null where contact_id in ${listed} and sender_key is not null`;
const matchesText = sql`update conversations set possible_match_id = null where possible_match_id in ${listed}`;

/**
 * Deletes the contact, if it is not deleted yet, and empties it and all that were merged into it; raises contact.deleted. Returns the erasure
 * that was begun before, if there is one. Refuses `contact.not_found`.
 */
export async function beginErasure(change: Change<LocationContext>, id: number): Promise<ErasureRow> {
  const { root, contacts } = await lockPerson(change, id);
  if (contacts.length === 0) throw new Refusal("contact.not_found");
  const begun = await findErasure(change, root);
  if (begun !== undefined) return begun;
  if (contacts.some((contact) => contact.id === root && contact.deleted_at === null)) await deleteContact(change, root);
  const ids = contacts.map((contact) => contact.id);
  empty(change, root, contacts);
  const [erasureId] = await insertRows(change, erasureInsert, [
    {
      location_id: change.location.id,
      contact_id: root,
      contact_ids: JSON.stringify(ids),
      step: firstStep,
      removed: JSON.stringify({ contacts: ids.length }),
      started_at: change.now,
      finished_at: null,
    },
  ]);
  recordAudit(change, change.now, {
    operation: "forgetContact",
    ...auditOrigin(change),
    subject: { noun: "contact", id: root },
    details: { contact_ids: ids.slice(0, mostTold) },
  });
  return {
    id: erasureId!,
    location_id: change.location.id,
    contact_id: root,
    contact_ids: JSON.stringify(ids),
    step: firstStep,
    place: 0,
    reached: 0,
    removed: JSON.stringify({ contacts: ids.length }),
    started_at: change.now.getTime(),
    finished_at: null,
  };
}

/** Ids in an audit entry. */
const mostTold = 100;

function empty(change: Change<LocationContext>, root: number, contacts: readonly PersonContact[]): void {
  const list = JSON.stringify(contacts.map(({ id }) => id));
  const addresses = contacts
    .flatMap(({ email_key, phone_key }) => [email_key, phone_key])
    .filter((key) => key !== null);
  change.send(blankText, [...blankValues, list]);
  change.send(endMergesText, [change.now, list]);
  change.send(claimText, [root, JSON.stringify(addresses), change.location.id]);
  change.send(leaveText, [list]);
  change.send(matchesText, [list]);
}
