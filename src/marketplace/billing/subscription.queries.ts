/** Reads subscriptions to apps. Each row carries the values of its latest report, so that no query scans the ledger. */
import type { Reader } from "../../events/caller.ts";
import { page } from "../../kit/page.ts";
import type { Page, PageQuery } from "../../kit/page.ts";
import { firstOfEach } from "../../storage/reading/lateral.ts";
import { inOwnedOrder, inOwnedRange, ownedBy } from "../../storage/reading/owned-range.ts";
import { sql } from "../../storage/sql-text.ts";
import { limits } from "../../vocabulary/limits.ts";
import { isOpenPrice } from "./platform/price/open-price.ts";
import { toSubscription } from "./subscription.view.ts";
import type { SubscriptionRow, SubscriptionView } from "./subscription.view.ts";

const ofApp = { owner: "app_subscriptions.app_id", place: "app_subscriptions.id", byEquality: true };
const ofWorkspace = { owner: "workspace_id", place: "id", byEquality: true };

/** Of each app no more than fill a page: the index of its subscriptions has their order. */
const sold = firstOfEach({
  given: sql`(select id from apps where workspace_id = ?) as given`,
  table: "app_subscriptions",
  columns: ["id"],
  where: inOwnedRange(ofApp, { ">": "?" }, "given.id"),
  order: inOwnedOrder(ofApp),
  limit: limits.pageSize + 1,
});

const pageText = sql`
  select s.id, a.name as app_name, a.client_id, s.workspace_id, s.location_id, s.payment_status, coalesce(s.price_cents, s.amount_cents) as amount_cents,
    coalesce(s.stripe_id, s.subscription_id) as subscription_id, s.last_report_at, s.canceled_at, s.stripe_status,
    k.amount_cents as next_cents, k.due_at as next_due_at, k.notified_at
  from app_subscriptions s join apps a on a.id = s.app_id
    left join stripe_calls k on k.app_subscription_id = s.id and ${isOpenPrice("k")}
  where s.id in (
    select id from (select id from ${ownedBy("app_subscriptions")}
      where ${inOwnedRange(ofWorkspace, { ">": "?" })} order by ${inOwnedOrder(ofWorkspace)} limit ?) as paid
    union
    select id from (select id from (${sold}) as sold order by id limit ?) as earned)
  order by s.id limit ?`;

/** The subscriptions that the workspace pays for, and those to its own apps, without duplicates, oldest first. */
export function listSubscriptions(reader: Reader, query: PageQuery): Promise<Page<SubscriptionView>> {
  const { workspaceId } = reader;
  return page(reader.tools.cursors, query, {
    list: `subscriptions of ${workspaceId}`,
    find: ([after]: [number] = [0], most) =>
      reader.rows<SubscriptionRow>(pageText, [workspaceId, after, most, workspaceId, after, most, most]),
    placeOf: ({ id }): [number] => [id],
    show: toSubscription,
  });
}
