/** Sums the ledger by app and month, over a covering index: a few months at a time, between which other requests are served. */
import type { Reader } from "../../../../events/caller.ts";
import { queueKeyOf } from "../../../../events/read-queue.ts";
import { createSliceQueue, shortSlice, walkSlices } from "../../../../storage/keyset/slices.ts";
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
/** The first and the last month of any app of the workspace. */
const spanText = `select min(first_period) as first, max(last_period) as last from (
    select (select min(period) from ledger_entries where app_id = apps.id) as first_period,
      (select max(period) from ledger_entries where app_id = apps.id) as last_period
    from apps where workspace_id = ?) as spans`;

const inSliceQueue = createSliceQueue();

/** The monthly totals of the workspace's own apps, oldest first. Refuses `app.not_found`. */
export async function listPayouts(reader: Reader, { app, month }: PayoutQuery): Promise<PayoutView[]> {
  const { workspaceId } = reader;
  if (app !== undefined && (await reader.rows(appText, [app, workspaceId])).length === 0)
    throw new Refusal("app.not_found");
  const readMonths = (from: number, to: number) =>
    reader.rows<PayoutRow>(listText, [workspaceId, from, to, app ?? null]);
  if (month !== undefined) {
    const period = Number(month.replace("-", ""));
    return (await readMonths(period, period)).map(toPayout);
  }
  const [span] = await reader.rows<{ first: number | null; last: number | null }>(spanText, [workspaceId]);
  const { first, last } = span!;
  if (first === null || last === null) return [];
  const rows: PayoutRow[] = [];
  let months = 1;
  await walkSlices({ queue: inSliceQueue, holder: queueKeyOf(reader) }, first, async (from) => {
    const next = monthAfter(from, months);
    const begun = performance.now();
    rows.push(...(await readMonths(from, next - 1)));
    months = performance.now() - begun < shortSlice ? months * 2 : 1;
    return next > last ? undefined : next;
  });
  return rows.map(toPayout);
}

/** 202611 and two months: 202701. */
function monthAfter(period: number, months: number): number {
  const count = Math.floor(period / 100) * 12 + (period % 100) - 1 + months;
  return Math.floor(count / 12) * 100 + (count % 12) + 1;
}
