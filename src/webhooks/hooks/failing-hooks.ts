/** Webhooks that have failed every attempt for days: reported in the log, by `crm hooks list` and `crm doctor`, and once by mail. */
import type { Database } from "../../storage/database.ts";
import { listed } from "../../storage/json.ts";
import { sql } from "../../storage/sql-text.ts";

/** Days without success after which a webhook is reported. */
export const failingDays = 3;

/** A webhook that has failed since before this time is reported. */
export function reportedBefore(now: Date): Date {
  return new Date(now.getTime() - failingDays * 86_400_000);
}

export interface FailingHook {
  readonly id: number;
  readonly workspace_id: number;
  readonly target_url: string;
  readonly failing_since: number;
}

const failing = "failing_since < ? and status = 'active' and removed_at is null";
const columns = "id, workspace_id, target_url, failing_since";

/** Those to be reported, at most a hundred. */
export function findFailing(database: Database, now: Date): Promise<FailingHook[]> {
  const text = `select ${columns} from hooks where ${failing} order by failing_since limit 100`;
  return database.rows(text, [reportedBefore(now)]);
}

const claimText = `update hooks set failing_told_at = ? where failing_told_at is null and id in (
  select id from hooks where ${failing} and failing_told_at is null order by failing_since limit 100) returning ${columns}`;

/** Those whose owners were not notified, marked as notified now. */
export function claimUnnotified(database: Database, now: Date): Promise<FailingHook[]> {
  return database.transaction(({ rows }) => rows<FailingHook>(claimText, [now, reportedBefore(now)]));
}

/** Undoes the mark after a failed mail, so that it is retried. */
export async function unmarkNotified(database: Database, hooks: readonly FailingHook[]): Promise<void> {
  const ids = JSON.stringify(hooks.map(({ id }) => id));
  await database.transaction(({ rows }) => rows(unclaimText, [ids]));
}

const unclaimText = sql`update hooks set failing_told_at = null where id in ${listed}`;
