/** Events as neighbours of a contact: its timeline. Only retention removes them. */
import { page } from "../../../kit/page.ts";
import { untilCommit } from "../../../storage/locks.ts";
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

function moveText(condition: string): string {
  return `update events set contact_id = ?
    where id in (select id from events where contact_id = ? and ${condition} limit ?) returning id`;
}

const moveStampedText = moveText("position is not null");
const moveUnstampedText = moveText("position is null");
const lockLog = sql`select id from event_log where id = 1${untilCommit("event_log")}`;

export const timelineNeighbour: ContactNeighbour = {
  name: "events",
  column: "events.contact_id",
  forget: "kept",
  /** Events without a position are changed under the lock of the log alone, like their positions (docs/lock-order.md). */
  async move(change, { from, to, most }) {
    const { length: stamped } = await change.rows(moveStampedText, [to.id, from, most]);
    if (stamped > 0) return stamped;
    await change.rows(lockLog);
    return (await change.rows(moveUnstampedText, [to.id, from, most])).length;
  },
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
