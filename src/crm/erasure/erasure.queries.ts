/** Finds the contacts of one person, locks them, and reads and continues erasures. */
import type { Change, LocationContext } from "../../events/caller.ts";
import { noSurvivors, Superseded } from "../../events/attempts/superseded.ts";
import { listed } from "../../storage/json.ts";
import { forUpdate } from "../../storage/locks.ts";
import type { Rows } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import { findContactsOfPerson } from "../contact-redirects.ts";
import type { ErasureRow } from "./erasure.view.ts";

export interface PersonContact {
  readonly id: number;
  readonly deleted_at: number | null;
  readonly email_key: string | null;
  readonly phone_key: string | null;
}

const lockText = sql`select id, deleted_at, email_key, phone_key from contacts where id in ${listed} order by id${forUpdate("contacts")}`;

/**
 * Locks the contact with this id, or the one that it was merged into, and all that were merged into that; deleted ones too. `root` is the one
 * that remains. Empty for a contact of another location. Begins anew if they were merged meanwhile.
 */
export async function lockPerson(
  change: Change<LocationContext>,
  id: number,
): Promise<{ readonly root: number; readonly contacts: readonly PersonContact[] }> {
  const found = await findContactsOfPerson(change, id);
  const contacts = await change.rows<PersonContact>(lockText, [JSON.stringify(found.ids)]);
  const again = await findContactsOfPerson(change, id);
  if (again.root !== found.root || again.ids.length !== found.ids.length) throw new Superseded(noSurvivors);
  return { root: found.root, contacts };
}

/** Locks a contact that may be deleted, before records that hang on it: others that change these hold it too (docs/lock-order.md). */
export async function lockDeletedContact({ rows }: Change<LocationContext>, id: number): Promise<void> {
  await rows(lockText, [JSON.stringify([id])]);
}

const columns = "id, location_id, contact_id, contact_ids, step, place, reached, removed, started_at, finished_at";
const ofContactText = `select ${columns} from contact_erasures where contact_id = ?`;

export async function findErasure({ rows }: Rows, contactId: number): Promise<ErasureRow | undefined> {
  const [row] = await rows<ErasureRow>(ofContactText, [contactId]);
  return row;
}

export interface RunningErasure extends ErasureRow {
  readonly workspace_id: number;
  readonly country: string;
  readonly timezone: string;
}

const runningText = `select ${columns
  .split(", ")
  .map((column) => `contact_erasures.${column}`)
  .join(", ")}, locations.workspace_id, locations.country, locations.timezone
  from contact_erasures join locations on locations.id = contact_erasures.location_id
  where contact_erasures.finished_at is null and contact_erasures.id > ? order by contact_erasures.id limit 1`;

/** The first erasure after the one with this id that is not finished. */
export async function findRunningErasure({ rows }: Rows, after: number): Promise<RunningErasure | undefined> {
  const [next] = await rows<RunningErasure>(runningText, [after]);
  return next;
}

/** How far an erasure is. */
export type Progress = Pick<ErasureRow, "step" | "place" | "reached" | "removed">;

const progressText = `update contact_erasures set step = ?, place = ?, reached = ?, removed = ?
  where id = ? and step = ? and place = ? and reached = ? and removed = ? and finished_at is null returning id`;

/** The last statement of a piece. False if another process did the piece: the change is to be rolled back. */
export async function saveProgress(change: Change, before: ErasureRow, after: Progress): Promise<boolean> {
  const saved = await change.rows(progressText, [
    after.step,
    after.place,
    after.reached,
    after.removed,
    before.id,
    before.step,
    before.place,
    before.reached,
    // Of a long conversation, pieces differ by this alone.
    before.removed,
  ]);
  return saved.length > 0;
}
