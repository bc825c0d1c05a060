/** Reads deliveries: the list of a webhook, newest first, and single ones. */
import type { Reader } from "../../events/caller.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { jsonList } from "../../storage/json.ts";
import { inOwnedOrder, inOwnedRange, ownedBy } from "../../storage/reading/owned-range.ts";
import { sql } from "../../storage/sql-text.ts";
import type { SqlText } from "../../storage/sql-text.ts";
import { fitsIn, weighedPage } from "../../storage/reading/weighed-page.ts";
import { limits } from "../../vocabulary/limits.ts";
import { isNamed, namedBy } from "../hooks/hook.queries.ts";
import { shownAttempts, toDelivery } from "./delivery.view.ts";
import type { DeliveryRow, DeliveryView } from "./delivery.view.ts";

/** The latest ones; their numbers have no gaps. */
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
  limit: shownAttempts,
});

const fields = `deliveries.id, events.event, deliveries.state, deliveries.created_at, deliveries.due_at,
  case when deliveries.attempt_open then deliveries.attempt end as open_number, deliveries.attempt_at as open_at`;

const oneText = sql`select ${fields}, ${attempts} as attempts
  from deliveries join events on events.id = deliveries.event_id join hooks on hooks.id = deliveries.hook_id
  where deliveries.id = ? and ${isNamed}`;
const ofHook = { owner: "hook_id", place: "id", byEquality: true };

/** The first delivery is always shown: its response bodies have 4 KiB each. */
function pageTextOf(condition: string): SqlText {
  const page = weighedPage({
    table: ownedBy("deliveries"),
    bytes: `(select coalesce(sum(octet_length(body)), 0) from delivery_attempts
      where delivery_id = deliveries.id and number > deliveries.attempt - ${shownAttempts})`,
    where: sql`${inOwnedRange(ofHook, { "<": "?" })}${condition}`,
    direction: "desc",
    order: inOwnedOrder(ofHook, "desc"),
  });
  return sql`select ${fields}, page.bytes_so_far, case when ${fitsIn(limits.deliveryPageBytes)} then ${attempts} end as attempts
    from ${page} join deliveries on deliveries.id = page.id join events on events.id = deliveries.event_id
    order by page.id desc`;
}

const pageText = pageTextOf("");
const failedText = pageTextOf(" and state = 'failed'");

/** A delivery of a webhook that the reader may access. */
export async function findDelivery(reader: Reader, id: number): Promise<DeliveryView | undefined> {
  const [row] = await reader.rows<DeliveryRow>(oneText, [id, ...namedBy(reader)]);
  return row && toDelivery(row);
}

interface DeliveryQuery extends PageQuery {
  /** `failed`: only failed deliveries. */
  readonly state?: "failed" | undefined;
}

type DeliveryPosition = [id: number];

/** A page of the deliveries of a webhook that the reader may access. Refuses a cursor that it did not issue. */
export function listDeliveries(reader: Reader, hookId: number, query: DeliveryQuery): Promise<Page<DeliveryView>> {
  return page(reader.tools.cursors, query, {
    list: `deliveries ${hookId} ${query.state ?? "all"}`,
    find: ([id]: DeliveryPosition = [Number.MAX_SAFE_INTEGER], most) =>
      reader.rows<DeliveryRow>(query.state === "failed" ? failedText : pageText, [hookId, id, most]),
    placeOf: ({ id }): DeliveryPosition => [id],
    mostBytes: limits.deliveryPageBytes,
    show: toDelivery,
  });
}
