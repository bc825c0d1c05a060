/** Reads the ledger: the payment reports for a workspace's own apps, and for the apps that it pays for. */
import type { Reader } from "../../../events/caller.ts";
import { page } from "../../../kit/page.ts";
import type { Page, PageQuery } from "../../../kit/page.ts";
import { findWorkspaceOf } from "../../../tenancy/locations/location.queries.ts";
import { Refusal } from "../../../vocabulary/errors.ts";
import { toLedgerEntry } from "./ledger.view.ts";
import type { LedgerEntryView, LedgerRow } from "./ledger.view.ts";
import { visibleSubscriptions } from "../subscription.queries.ts";

export interface LedgerQuery extends PageQuery {
  /** The client id of the app. */
  readonly app?: string | undefined;
  /** The paying location; reports of a company belong to no location. */
  readonly locationId?: number | undefined;
}

type LedgerPosition = [subscription: number, report: number];

/** Keyset pagination over the index of reports, by subscription: the page is limited before other tables are joined. */
function pageText(conditions: string): string {
  return `select r.id, r.app_subscription_id, a.name as app_name, a.client_id, s.workspace_id, s.location_id, r.status,
      r.amount_cents, r.payment_type, r.payment_id, r.subscription_id, r.occurred_at, r.received_at
    from (
      select * from billing_reports where app_subscription_id in (
          select id from app_subscriptions where id in (${visibleSubscriptions}) ${conditions})
        and (app_subscription_id, id) < (?, ?) order by app_subscription_id desc, id desc limit ?) as r
      join app_subscriptions s on s.id = r.app_subscription_id join apps a on a.id = s.app_id
    order by r.app_subscription_id desc, r.id desc`;
}

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
  const text = pageText(asked.map(([condition]) => condition).join(" "));
  const given = [workspaceId, workspaceId, ...asked.map(([, id]) => id)];
  return page(reader.tools.cursors, query, {
    list: `ledger of ${workspaceId} ${app ?? ""} ${locationId ?? ""}`,
    find: ([subscription, report]: LedgerPosition = [Number.MAX_SAFE_INTEGER, 0], most) =>
      reader.rows<LedgerRow>(text, [...given, subscription, report, most]),
    placeOf: ({ app_subscription_id, id }): LedgerPosition => [app_subscription_id, id],
    show: toLedgerEntry,
  });
}
