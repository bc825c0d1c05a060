/** The duty that removes attachments that no message or workflow has got within a day: uploads that were not sent, and what a crash left behind. */
import type { Blobs } from "../../../blobs/blobs.ts";
import { periodic } from "../../../kit/duty.ts";
import type { Duty } from "../../../kit/duty.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { Database } from "../../../storage/database.ts";
import { listed } from "../../../storage/json.ts";
import type { Rows } from "../../../storage/rows.ts";
import { sql } from "../../../storage/sql-text.ts";
import { limits } from "../../../vocabulary/limits.ts";

interface UnsentRow {
  readonly id: number;
  readonly blob_key: string;
  /** 0 or 1 on SQLite. */
  readonly is_shared: boolean | number;
}

/** `created_at` of the attachments of removed messages, which are removed before all others. */
export const detachedAt = new Date(0);

/** Attachments of one turn. */
const batch = 50;

/**
 * `is_shared`: a row that stays has the same pieces. Only what a workflow has is copied, and released it counts as new: no copy that is not
 * committed yet is overlooked.
 */
const unsentText = `select id, blob_key, exists (select 1 from attachments as other
    where other.blob_key = attachments.blob_key and (other.message_id is not null or other.workflow_id is not null or other.created_at >= ?)) as is_shared
  from attachments where message_id is null and workflow_id is null and created_at < ? order by created_at limit ${batch}`;
const removedText = sql`delete from attachments where id in ${listed} and message_id is null and workflow_id is null`;

/** Removes the pieces of some that were created before `before`; resolves to their ids. The rows are left, so that what it is interrupted at is found again. */
export async function removeUnsentPieces(
  { rows }: Rows,
  blobs: Pick<Blobs, "remove">,
  before: Date,
  signal?: AbortSignal,
): Promise<number[]> {
  const removed: number[] = [];
  for (const { id, blob_key, is_shared } of await rows<UnsentRow>(unsentText, [before, before])) {
    if (signal?.aborted === true) break;
    if (!is_shared) await blobs.remove(blob_key);
    removed.push(id);
  }
  return removed;
}

/** Removes the rows, whose pieces are gone. */
export async function removeUnsentRows({ rows }: Pick<Rows, "rows">, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await rows(removedText, [JSON.stringify(ids)]);
}

/** A message may be taking one in the last moment of its day, by another clock. */
const graceSeconds = 60 * 60;

/** Removes the pieces before the row, so that what it is interrupted at is found again. */
export function attachmentDuty(database: Database, blobs: Blobs, clock: Clock): Duty {
  return periodic({
    name: "remove attachments without a message",
    everySeconds: 600,
    clock,
    async run(signal) {
      const age = limits.unsentAttachmentSeconds + graceSeconds;
      const before = new Date(clock.now().getTime() - age * 1000);
      const removed = await removeUnsentPieces(database, blobs, before, signal);
      if (removed.length > 0) await database.transaction((transaction) => removeUnsentRows(transaction, removed));
      return removed.length > 0 ? "more" : "done";
    },
  });
}
