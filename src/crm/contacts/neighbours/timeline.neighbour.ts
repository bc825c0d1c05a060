/** Events as neighbours of a contact: its timeline. Only retention removes them. */
import { page } from "../../../kit/page.ts";
import { fitsIn, weighedPage } from "../../../storage/reading/weighed-page.ts";
import { sql } from "../../../storage/sql-text.ts";
import { limits } from "../../../vocabulary/limits.ts";
import type { ContactNeighbour } from "../../contact-neighbour.ts";
import type { ActivityRow } from "../contact.row.ts";
import { toActivity } from "../contact.view.ts";

const pageText = sql`select events.id, events.event, events.actor_type, events.actor_id, events.actor_name, events.created_at,
  case when ${fitsIn(limits.eventPageBytes)} then events.changes end as changes, page.bytes_so_far
  from ${weighedPage({
    table: "events",
    bytes: "coalesce(octet_length(changes), 0)",
    where: "contact_id = ? and id < ?",
    direction: "desc",
  })} join events on events.id = page.id order by page.id desc`;

/**
 * The contact's own end stays: followers must not take it for that of the other contact. The newest first: what followers have not read yet moves
 * with the runs that wait for it.
 */
const moveText = `update events set contact_id = ?
  where id in (select id from events where contact_id = ? and event <> 'contact.deleted' order by id desc limit ?) returning id`;

export const timelineNeighbour: ContactNeighbour = {
  name: "events",
  column: "events.contact_id",
  forget: "kept",
  move: async (change, { from, to, most }) => (await change.rows(moveText, [to.id, from, most])).length,
  export: (reader, contactId, query) =>
    page(reader.tools.cursors, query, {
      list: `timeline ${contactId}`,
      find: ([id]: [id: number] = [Number.MAX_SAFE_INTEGER], most) =>
        reader.rows<ActivityRow>(pageText, [contactId, id, most]),
      placeOf: ({ id }): [id: number] => [id],
      mostBytes: limits.eventPageBytes,
      show: toActivity,
    }),
};
