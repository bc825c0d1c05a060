/** Webhooks in the list of pages: each with its last delivery. */
import { z } from "zod";
import type { Reader } from "../../events/caller.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { pageOf } from "../../kit/page-shapes.ts";
import { toTimestamp } from "../../kit/time/timestamp.ts";
import { sql } from "../../storage/sql-text.ts";
import { visibleIds } from "../../tenancy/locations/location.queries.ts";
import { deliveryStates } from "../../vocabulary/states.ts";
import type { DeliveryState } from "../../vocabulary/states.ts";
import { ofLastDelivery } from "../deliveries/last-delivery.ts";
import { isVisible, visibleTo } from "./hook.queries.ts";
import { hookView, toHook } from "./hook.view.ts";
import type { HookRow } from "./hook.view.ts";

export const hookSummaryListView = pageOf(
  hookView
    .extend({
      last_delivery: z.object({ state: z.enum(deliveryStates), created_at: z.iso.datetime() }).nullable(),
    })
    .meta({ id: "HookSummary", description: "A webhook with its last delivery." }),
).meta({ id: "HookSummaryList", description: "A page of webhooks, oldest first." });

export type HookSummary = z.output<typeof hookSummaryListView>["data"][number];

interface HookSummaryRow extends HookRow {
  readonly delivery_state: DeliveryState | null;
  readonly delivered_at: number | null;
}

const pageText = sql`
  select page.*, ${ofLastDelivery("state", "page.id")} as delivery_state, ${ofLastDelivery("created_at", "page.id")} as delivered_at
  from (select id, events, target_url, location_id, status, failing_since, created_at from hooks
        where id > ? and ${isVisible} order by id limit ?) page
  order by page.id`;

/** A page of the webhooks that the reader may access, oldest first. */
export function listHookSummaries(reader: Reader, query: PageQuery): Promise<Page<HookSummary>> {
  const ids = visibleIds(reader);
  return page(reader.tools.cursors, query, {
    list: `hook summaries ${reader.workspaceId} ${ids === null ? "all" : ids.join(",")}`,
    find: ([id]: [id: number] = [0], most) =>
      reader.rows<HookSummaryRow>(pageText, [id, ...visibleTo(reader, ids), most]),
    placeOf: ({ id }): [number] => [id],
    show: ({ delivery_state: state, delivered_at: at, ...row }) => ({
      ...toHook(row),
      last_delivery: state === null || at === null ? null : { state, created_at: toTimestamp(at) },
    }),
  });
}
