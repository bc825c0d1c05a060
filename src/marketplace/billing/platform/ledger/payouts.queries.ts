/** Sums the ledger by app and month, over a covering index. */
import type { Reader } from "../../../../events/caller.ts";
import { Refusal } from "../../../../vocabulary/errors.ts";
import type { LedgerKind } from "../../../../vocabulary/states.ts";
import { toPayout } from "./payouts.view.ts";
import type { PayoutRow, PayoutView } from "./payouts.view.ts";

export interface PayoutQuery {
  /** The client id of an app. */
  readonly app?: string | undefined;
  /** A UTC month, as 2026-11. */
  readonly month?: string | undefined;
}

/** The SQL of a sum over some kinds of entries, each with its sign. */
function sumOf(kinds: Partial<Record<LedgerKind, 1 | -1>>): string {
  const cases = Object.entries(kinds).map(([kind, sign]) => `when '${kind}' then ${sign === 1 ? "" : "-"}amount_cents`);
  return `cast(coalesce(sum(case kind ${cases.join(" ")} else 0 end), 0) as bigint)`;
}

const sums = `${sumOf({ charge: 1 })} as gross, ${sumOf({ refund: 1, refund_failed: -1 })} as refunds,
    ${sumOf({ dispute: 1, dispute_won: -1 })} as disputes, ${sumOf({ transfer: 1, reversal: -1 })} as transferred`;
const listText = `select a.name as app_name, a.client_id, totals.* from (
    select app_id, period, ${sums} from ledger_entries
    where app_id in (select id from apps where workspace_id = ?) and period between ? and ? group by app_id, period) as totals
  join apps a on a.id = totals.app_id where a.client_id = coalesce(?, a.client_id) order by totals.period, a.id`;
const appText = "select id from apps where client_id = ? and workspace_id = ?";

/** The monthly totals of the workspace's own apps, oldest first. Refuses `app.not_found`. */
export async function listPayouts(reader: Reader, { app, month }: PayoutQuery): Promise<PayoutView[]> {
  const { workspaceId } = reader;
  if (app !== undefined && (await reader.rows(appText, [app, workspaceId])).length === 0)
    throw new Refusal("app.not_found");
  const period = month === undefined ? undefined : Number(month.replace("-", ""));
  const rows = await reader.rows<PayoutRow>(listText, [workspaceId, period ?? 0, period ?? 999_999, app ?? null]);
  return rows.map(toPayout);
}
