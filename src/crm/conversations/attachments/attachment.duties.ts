/** The duty that removes attachments that no message or workflow has got within a day: uploads that were not sent, and what a crash left behind. */
import type { Blobs } from "../../../blobs/blobs.ts";
import { periodic } from "../../../kit/duty.ts";
import type { Duty } from "../../../kit/duty.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { Database } from "../../../storage/database.ts";
import { listed } from "../../../storage/json.ts";
import { sql } from "../../../storage/sql-text.ts";
import { limits } from "../../../vocabulary/limits.ts";

interface UnsentRow {
  readonly id: number;
  readonly blob_key: string;
  /** 0 or 1 on SQLite. */
  readonly is_shared: boolean | number;
}

/** Attachments of one turn. */
const batch = 50;
/** A message may be taking one in the last moment of its day, by another clock. */
const graceSeconds = 60 * 60;

/**
 * `is_shared`: a row that stays has the same pieces. Only what a workflow has is copied, and released it counts as new: no copy that is not
 * committed yet is overlooked.
 */
const unsentText = `select id, blob_key, exists (select 1 from attachments as other
    where other.blob_key = attachments.blob_key and (other.message_id is not null or other.workflow_id is not null or other.created_at >= ?)) as is_shared
  from attachments where message_id is null and workflow_id is null and created_at < ? order by created_at limit ${batch}`;
const removedText = sql`delete from attachments where id in ${listed} and message_id is null and workflow_id is null`;

/** Removes the pieces before the row, so that what it is interrupted at is found again. */
export function attachmentDuty(database: Database, blobs: Blobs, clock: Clock): Duty {
  return periodic({
    name: "remove attachments without a message",
    everySeconds: 600,
    clock,
    async run(signal) {
      const age = limits.unsentAttachmentSeconds + graceSeconds;
      const before = new Date(clock.now().getTime() - age * 1000);
      const unsent = await database.rows<UnsentRow>(unsentText, [before, before]);
      const removed: number[] = [];
      for (const { id, blob_key, is_shared } of unsent) {
        if (signal.aborted) break;
        if (!is_shared) await blobs.remove(blob_key);
        removed.push(id);
      }
      if (removed.length > 0) await database.transaction(({ rows }) => rows(removedText, [JSON.stringify(removed)]));
      return removed.length > 0 ? "more" : "done";
    },
  });
}
