/** Reads merges, and locks the contacts of one. */
import type { Change, LocationContext, Reader } from "../../../events/caller.ts";
import { page } from "../../../kit/page.ts";
import type { Page, PageQuery } from "../../../kit/page.ts";
import { listed } from "../../../storage/json.ts";
import { forUpdate } from "../../../storage/locks.ts";
import type { Rows } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";
import { selectReference } from "../../contact-activity.ts";
import type { ContactReference } from "../../contact-activity.ts";
import { toMerge } from "./merge.view.ts";
import type { MergeRow, MergeView } from "./merge.view.ts";

const pageText = `select id, merged_contact_id, started_at, finished_at from contact_merges
  where contact_id = ? and id < ? order by id desc limit ?`;

/** The contacts that were merged into one, newest merge first. */
export function listMerges(
  reader: Reader<LocationContext>,
  contactId: number,
  query: PageQuery,
): Promise<Page<MergeView>> {
  return page(reader.tools.cursors, query, {
    list: `merges ${contactId}`,
    find: ([id]: [id: number] = [Number.MAX_SAFE_INTEGER], most) =>
      reader.rows<MergeRow>(pageText, [contactId, id, most]),
    placeOf: ({ id }): [id: number] => [id],
    show: toMerge,
  });
}

/** A merge of which rows are left, with the identity of its location. */
export interface RunningMerge {
  readonly id: number;
  readonly contact_id: number;
  readonly merged_contact_id: number;
  readonly workspace_id: number;
  readonly location_id: number;
  readonly country: string;
  readonly timezone: string;
}

const nextText = `select contact_merges.id, contact_merges.contact_id, contact_merges.merged_contact_id, locations.workspace_id,
    locations.id as location_id, locations.country, locations.timezone
  from contact_merges join contacts on contacts.id = contact_merges.merged_contact_id
    join locations on locations.id = contacts.location_id
  where contact_merges.finished_at is null and contact_merges.id > ? order by contact_merges.id limit 1`;

/** The first running merge after the one with this id. */
export async function findRunningMerge({ rows }: Rows, after: number): Promise<RunningMerge | undefined> {
  const [next] = await rows<RunningMerge>(nextText, [after]);
  return next;
}

const lockText = sql`${selectReference} from contacts where id in ${listed} order by id${forUpdate("contacts")}`;
const unfinishedText = "select 1 from contact_merges where id = ? and contact_id = ? and finished_at is null";

/** Locks both contacts, deleted ones too, and returns the one that remains; undefined if the merge is done or was moved meanwhile. */
export async function lockRunningMerge(
  change: Change,
  { id, contact_id, merged_contact_id }: RunningMerge,
): Promise<ContactReference | undefined> {
  const contacts = await change.rows<ContactReference>(lockText, [JSON.stringify([contact_id, merged_contact_id])]);
  const isRunning = (await change.rows(unfinishedText, [id, contact_id])).length > 0;
  return isRunning ? contacts.find((contact) => contact.id === contact_id) : undefined;
}
