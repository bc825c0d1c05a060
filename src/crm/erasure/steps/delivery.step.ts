/** Empties what receivers answered to deliveries of the person's events: answers often quote what they were sent. */
import { listed } from "../../../storage/json.ts";
import { sql } from "../../../storage/sql-text.ts";
import type { ErasureStep } from "./erasure-step.ts";

/** Deliveries of one piece. They have no index by event: all are looked through, by id. */
const most = 2000;

const nextText = sql`select deliveries.id, deliveries.leased_until is not null as is_sent_now, events.contact_id in ${listed} as is_own
  from (select id, event_id, leased_until from deliveries where id > ? order by id limit ${most}) as deliveries
    left join events on events.id = deliveries.event_id order by deliveries.id`;
const emptyText = sql`update delivery_attempts set body = null where delivery_id in ${listed} and body is not null`;

export const deliveryStep: ErasureStep = {
  name: "deliveries",
  async piece(change, { list, reached }) {
    const rows = await change.rows<{ id: number; is_sent_now: boolean | number; is_own: boolean | number | null }>(
      nextText,
      [list, reached],
    );
    const own = rows.filter((row) => Boolean(row.is_own));
    // It may carry the payload of before, which its answer may quote.
    if (own.some((row) => Boolean(row.is_sent_now))) return { next: "waits" };
    if (own.length > 0) change.send(emptyText, [JSON.stringify(own.map(({ id }) => id))]);
    return {
      next: rows.length === most ? { place: 0, reached: rows.at(-1)!.id } : null,
      removed: { deliveries: own.length },
    };
  },
};
