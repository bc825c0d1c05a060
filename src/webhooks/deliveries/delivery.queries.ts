/** Reads deliveries: those of a webhook, newest first, and one alone. */
import type { Reader } from "../../events/caller.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { jsonList } from "../../storage/json.ts";
import { sql } from "../../storage/sql-text.ts";
import { isNamed, namedBy } from "../hooks/hook.queries.ts";
import { toDelivery } from "./delivery.view.ts";
import type { DeliveryRow, DeliveryView } from "./delivery.view.ts";

const attempts = jsonList({
  members: {
    number: "delivery_attempts.number",
    at: "delivery_attempts.at",
    duration_ms: "delivery_attempts.duration_ms",
    status: "delivery_attempts.status",
    error: "delivery_attempts.error",
    body: "delivery_attempts.body",
  },
  times: ["at"],
  from: "delivery_attempts where delivery_attempts.delivery_id = deliveries.id",
  order: "number desc",
  limit: 10,
});

const columns = sql`deliveries.id, events.event, deliveries.state, deliveries.created_at, deliveries.due_at, ${attempts} as attempts`;
const from = "deliveries join events on events.id = deliveries.event_id";

const oneText = sql`select ${columns} from ${from} join hooks on hooks.id = deliveries.hook_id
  where deliveries.id = ? and ${isNamed}`;
const pageText = sql`select ${columns} from ${from}
  where deliveries.hook_id = ? and deliveries.id < ? order by deliveries.id desc limit ?`;
const failedText = sql`select ${columns} from ${from}
  where deliveries.hook_id = ? and deliveries.id < ? and deliveries.state = 'failed' order by deliveries.id desc limit ?`;

/** A delivery of a webhook that the reader may see. */
export async function findDelivery(reader: Reader, id: number): Promise<DeliveryView | undefined> {
  const [row] = await reader.rows<DeliveryRow>(oneText, [id, ...namedBy(reader)]);
  return row && toDelivery(row);
}

interface DeliveryQuery extends PageQuery {
  /** `failed`: those that were given up. */
  readonly state?: "failed" | undefined;
}

type DeliveryPosition = [id: number];

/** Characters of answers on a page; what is more comes with the next one. */
const mostOfAnswers = 1_000_000;

/** A page of the deliveries of a webhook that the reader may see. Refuses a cursor that it did not give out. */
export function listDeliveries(reader: Reader, hookId: number, query: DeliveryQuery): Promise<Page<DeliveryView>> {
  let characters = 0;
  return page(reader.tools.cursors, query, {
    list: `deliveries ${hookId} ${query.state ?? "all"}`,
    find: ([id]: DeliveryPosition = [Number.MAX_SAFE_INTEGER], most) =>
      reader.rows<DeliveryRow>(query.state === "failed" ? failedText : pageText, [hookId, id, most]),
    placeOf: ({ id }): DeliveryPosition => [id],
    endsBefore(row) {
      characters += row.attempts.length;
      return characters > mostOfAnswers;
    },
    show: toDelivery,
  });
}
