/** Reads the ledger: the payment reports for a workspace's own apps, and for the apps that it pays for. */
import type { Reader } from "../../../events/caller.ts";
import { queueKeyOf } from "../../../events/read-queue.ts";
import { page } from "../../../kit/page.ts";
import type { Page, PageQuery } from "../../../kit/page.ts";
import { createSliceQueue, findInSlices, sizeByTime } from "../../../storage/keyset/slices.ts";
import { firstOfEach } from "../../../storage/reading/lateral.ts";
import { inOwnedOrder, inOwnedRange, ownedBy } from "../../../storage/reading/owned-range.ts";
import { sql } from "../../../storage/sql-text.ts";
import type { SqlText } from "../../../storage/sql-text.ts";
import { findWorkspaceOf } from "../../../tenancy/locations/location.queries.ts";
import { Refusal } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { toLedgerEntry } from "./ledger.view.ts";
import type { LedgerEntryView, LedgerRow } from "./ledger.view.ts";

export interface LedgerQuery extends PageQuery {
  /** The client id of the app. */
  readonly app?: string | undefined;
  /** The paying location; reports of a company belong to no location. */
  readonly locationId?: number | undefined;
}

type LedgerPosition = [subscription: number, report: number];

/** Subscriptions of the first slice: most pages end in it. */
const fewestAtOnce = 16;
const mostAtOnce = 1024;

/** The subscriptions of a range that the workspace sees. Binds it, the id before which and the id from which the range is, twice. */
const visibleText = `select id from app_subscriptions where workspace_id = ? and id < ? and id >= ?
  union select sold.id from apps made join app_subscriptions sold on sold.app_id = made.id where made.workspace_id = ? and sold.id < ? and sold.id >= ?`;

const ofApp = { owner: "app_subscriptions.app_id", place: "app_subscriptions.id", byEquality: true };
const ofWorkspace = { owner: "workspace_id", place: "id", byEquality: true };

/** The id at which a slice ends. Binds the workspace and the id before which it begins, twice, and how many precede the end. */
const endText = sql`select id from (
    select id from (select id from ${ownedBy("app_subscriptions")}
      where ${inOwnedRange(ofWorkspace, { "<": "?" })} order by ${inOwnedOrder(ofWorkspace, "desc")} limit ${mostAtOnce}) as paid
    union select id from (${firstOfEach({
      given: sql`(select id from apps where workspace_id = ?) as given`,
      table: "app_subscriptions",
      columns: ["id"],
      where: inOwnedRange(ofApp, { "<": "?" }, "given.id"),
      order: inOwnedOrder(ofApp, "desc"),
      limit: mostAtOnce,
    })}) as sold) as visible
  order by id desc limit 1 offset ?`;

const reportColumns = [
  "id",
  "app_subscription_id",
  "status",
  "amount_cents",
  "payment_type",
  "payment_id",
  "subscription_id",
  "occurred_at",
  "received_at",
];

/** The newest reports of each subscription of a slice, behind a position: the page is limited before other tables are joined. */
function sliceText(conditions: string): SqlText {
  const reports = firstOfEach({
    given: sql`(select id from app_subscriptions where id in (${visibleText}) ${conditions}) as given`,
    table: "billing_reports",
    columns: reportColumns,
    where: "billing_reports.app_subscription_id = given.id and (given.id < ? or billing_reports.id < ?)",
    order: "billing_reports.id desc",
    limit: limits.pageSize + 1,
  });
  return sql`select r.*, a.name as app_name, a.client_id, s.workspace_id, s.location_id
    from (select * from (${reports}) as found order by app_subscription_id desc, id desc limit ?) as r
      join app_subscriptions s on s.id = r.app_subscription_id join apps a on a.id = s.app_id
    order by r.app_subscription_id desc, r.id desc`;
}

const inSliceQueue = createSliceQueue();

/**
 * A page of the reports, grouped by subscription: newest subscription first, and within each newest report first, by arrival. Refuses `app.not_found` and `location.not_found`.
 */
export async function listLedger(
  reader: Reader,
  { app, locationId, ...query }: LedgerQuery,
): Promise<Page<LedgerEntryView>> {
  const { workspaceId } = reader;
  const asked: [condition: string, id: number][] = [];
  if (app !== undefined) {
    const [found] = await reader.rows<{ id: number }>("select id from apps where client_id = ?", [app]);
    if (found === undefined) throw new Refusal("app.not_found");
    asked.push(["and app_id = ?", found.id]);
  }
  if (locationId !== undefined) {
    if ((await findWorkspaceOf(reader, locationId)) === undefined) throw new Refusal("location.not_found");
    asked.push(["and location_id = ?", locationId]);
  }
  const text = sliceText(asked.map(([condition]) => condition).join(" "));
  const filters = asked.map(([, id]) => id);
  return page(reader.tools.cursors, query, {
    list: `ledger of ${workspaceId} ${app ?? ""} ${locationId ?? ""}`,
    find: ([subscription, report]: LedgerPosition = [Number.MAX_SAFE_INTEGER - 1, 0], most) =>
      findInSlices<LedgerRow, number>(most, {
        queue: inSliceQueue,
        holder: queueKeyOf(reader),
        from: subscription + 1,
        size: fewestAtOnce,
        nextSize: (size, took) => Math.min(mostAtOnce, sizeByTime(size, took)),
        async findEnd(before = subscription + 1, count) {
          const [end] = await reader.rows<{ id: number }>(endText, [
            workspaceId,
            before,
            workspaceId,
            before,
            count - 1,
          ]);
          return end?.id;
        },
        find({ after: before = subscription + 1, until = 0 }, count) {
          const range = [workspaceId, before, until];
          return reader.rows<LedgerRow>(text, [...range, ...range, ...filters, subscription, report, count]);
        },
      }),
    placeOf: ({ app_subscription_id, id }): LedgerPosition => [app_subscription_id, id],
    show: toLedgerEntry,
  });
}
