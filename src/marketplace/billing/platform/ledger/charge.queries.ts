/** Reads the charges of a workspace's own apps. */
import type { Reader } from "../../../../events/caller.ts";
import { page } from "../../../../kit/page.ts";
import type { Page, PageQuery } from "../../../../kit/page.ts";
import { firstOfEach } from "../../../../storage/reading/lateral.ts";
import { inOwnedOrder, inOwnedRange } from "../../../../storage/reading/owned-range.ts";
import { sql } from "../../../../storage/sql-text.ts";
import { Refusal } from "../../../../vocabulary/errors.ts";
import { limits } from "../../../../vocabulary/limits.ts";
import { toCharge } from "./charge.view.ts";
import type { ChargeRow, ChargeView } from "./charge.view.ts";

const selectText = `select c.id, c.stripe_id, c.amount_cents, c.taken_cents, c.charged_at, a.name as app_name, a.client_id, s.workspace_id,
    s.location_id
  from platform_charges c join apps a on a.id = c.app_id join app_subscriptions s on s.id = c.app_subscription_id
  where a.workspace_id = ?`;
const findText = `${selectText} and c.id = ?`;
const ofApp = { owner: "platform_charges.app_id", place: "platform_charges.id", byEquality: true };
/** The latest of each app, by its index: one app of the workspace among many costs what its own charges cost. */
const listText = sql`${selectText} and c.id in (select found.id from (${firstOfEach({
  given: sql`(select id from apps where workspace_id = ?) as given`,
  table: "platform_charges",
  columns: ["id"],
  where: inOwnedRange(ofApp, { "<": "?" }, "given.id"),
  order: inOwnedOrder(ofApp, "desc"),
  limit: limits.pageSize + 1,
})}) as found) order by c.id desc limit ?`;

export async function findChargeById(reader: Reader, id: number): Promise<ChargeView | undefined> {
  const [row] = await reader.rows<ChargeRow>(findText, [reader.workspaceId, id]);
  return row && toCharge(row);
}

/** Like `findChargeById`, but refuses `charge.not_found`. */
export async function getCharge(reader: Reader, id: number): Promise<ChargeView> {
  const charge = await findChargeById(reader, id);
  if (charge === undefined) throw new Refusal("charge.not_found");
  return charge;
}

/** A page of charges, newest first. */
export function listCharges(reader: Reader, query: PageQuery): Promise<Page<ChargeView>> {
  return page(reader.tools.cursors, query, {
    list: `charges of ${reader.workspaceId}`,
    find: ([before]: [number] = [Number.MAX_SAFE_INTEGER], most) =>
      reader.rows<ChargeRow>(listText, [reader.workspaceId, reader.workspaceId, before, most]),
    placeOf: ({ id }): [number] => [id],
    show: toCharge,
  });
}
