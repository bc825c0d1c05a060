/** Claims due mailboxes with a lease, and records how far they have been read. */
import type { Database } from "../../../storage/database.ts";
import type { Workers } from "../../../storage/installation/workers.ts";
import { jsonKeys } from "../../../storage/json-rows.ts";
import { listed } from "../../../storage/json.ts";
import { skipLocked } from "../../../storage/locks.ts";
import type { Writer } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";

export interface ClaimedMailbox {
  readonly id: number;
  readonly channel_id: number;
  readonly url: string;
  /** Encrypted. */
  readonly password: string;
  readonly move_to: string | null;
  /** Milliseconds. */
  readonly since: number;
  readonly uid_validity: string | null;
  readonly last_uid: number;
  readonly failures: number;
  readonly error: string | null;
  readonly fence: number;
}

/** A worker that has died is replaced after this; it is longer than a mailbox takes between two marks. */
const leaseMilliseconds = 120_000;
/** A mailbox is read at least this often, also without a notice of its server. */
export const pollMilliseconds = 60_000;
const mostClaimed = 16;

const holdersText = "select distinct leased_by from mailboxes where leased_until is not null and leased_by is not null";
const claimText = sql`update mailboxes set leased_until = ?, leased_by = ?, fence = fence + 1, due_at = ?
  where id in (select id from mailboxes where (due_at <= ? or id in ${listed} or leased_by in ${listed})
    and (leased_until is null or leased_until < ? or leased_by in ${listed} or (leased_by is null and id in ${listed})) order by due_at, id limit ${mostClaimed}${skipLocked()})
  returning id, channel_id, url, password, move_to, since, uid_validity, last_uid, failures, error, fence`;

const dueText = sql`select id from mailboxes where due_at <= ? or id in ${listed} or leased_by in ${listed} limit 1`;

interface MailboxClaim {
  readonly now: Date;
  /** The mailboxes that this process has open, and those of them whose server has reported a mail. */
  readonly open: readonly number[];
  readonly noticed: readonly number[];
}

/** Claims the mailboxes that are due, noticed, or of a worker that has ended. A mailbox of another living worker is left alone. */
export async function claimMailboxes(
  database: Database,
  workers: Workers,
  { now, open, noticed }: MailboxClaim,
): Promise<ClaimedMailbox[]> {
  const holders = await database.rows<{ leased_by: number }>(holdersText, []);
  const gone = await workers.findGone(holders.map(({ leased_by }) => leased_by));
  const [noticedIds, goneIds] = [JSON.stringify(noticed), JSON.stringify(gone)];
  if ((await database.rows(dueText, [now, noticedIds, goneIds])).length === 0) return [];
  const own = await workers.own();
  const takenOver = JSON.stringify(own === null ? gone : [...gone, own]);
  const until = new Date(now.getTime() + leaseMilliseconds);
  return database.transaction(({ rows }) =>
    rows<ClaimedMailbox>(claimText, [
      until,
      own,
      until,
      now,
      noticedIds,
      goneIds,
      now,
      takenOver,
      JSON.stringify(open),
    ]),
  );
}

const markText = `update mailboxes set uid_validity = ?, last_uid = ?, leased_until = ? where id = ? and fence = ? returning id`;

/** Passes a UID and renews the lease; false if another worker has claimed the mailbox. */
export async function markRead(
  database: Database,
  { id, fence }: Pick<ClaimedMailbox, "id" | "fence">,
  { validity, uid, now }: { readonly validity: string; readonly uid: number; readonly now: Date },
): Promise<boolean> {
  const until = new Date(now.getTime() + leaseMilliseconds);
  return database.transaction(async ({ rows }) => (await rows(markText, [validity, uid, until, id, fence])).length > 0);
}

const succeededText = `update mailboxes set failures = 0, error = null, due_at = ?, leased_until = ? where id = ? and fence = ?`;

/** The worker keeps its lease until the next poll, with the connection open. */
export function recordSuccess(
  writer: Writer,
  { id, fence }: Pick<ClaimedMailbox, "id" | "fence">,
  { now, isDone }: { readonly now: Date; readonly isDone: boolean },
): void {
  const due = new Date(now.getTime() + (isDone ? pollMilliseconds : 0));
  const until = new Date(now.getTime() + leaseMilliseconds);
  writer.send(succeededText, [due, until, id, fence]);
}

const failedText = `update mailboxes set failures = failures + 1, error = ?, due_at = ?, leased_until = null
  where id = ? and fence = ? returning id`;

/** Schedules the next attempt; false if another worker has claimed the mailbox. */
export async function recordFailure(
  writer: Writer,
  { id, fence }: Pick<ClaimedMailbox, "id" | "fence">,
  { error, dueAt }: { readonly error: string; readonly dueAt: Date },
): Promise<boolean> {
  return (await writer.rows(failedText, [error, dueAt, id, fence])).length > 0;
}

const held = jsonKeys({ id: "integer", fence: "integer" });
const releaseText = sql`update mailboxes set leased_until = null, due_at = ? from ${held} as held
  where mailboxes.id = held.id and mailboxes.fence = held.fence and leased_until is not null`;

/** A stopping worker leaves its mailboxes to the next one, which reads them at once. */
export async function releaseMailboxes(
  database: Database,
  mailboxes: readonly Pick<ClaimedMailbox, "id" | "fence">[],
  now: Date,
): Promise<void> {
  const ids = JSON.stringify(mailboxes.map(({ id, fence }) => ({ id, fence })));
  await database.transaction(async ({ send }) => send(releaseText, [now, ids]));
}

const nextText = "select min(due_at) as due_at from mailboxes";

/** When the next mailbox is due; null if there is none. */
export async function findNextMailbox(database: Database): Promise<Date | null> {
  const [next] = await database.rows<{ due_at: number | null }>(nextText, []);
  return typeof next?.due_at === "number" ? new Date(next.due_at) : null;
}
