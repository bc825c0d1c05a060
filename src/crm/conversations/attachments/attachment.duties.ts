/** The duty that removes attachments that no message or workflow has got within a day: uploads that were not sent, and what a crash left behind. */
import type { Blobs } from "../../../blobs/blobs.ts";
import { periodic } from "../../../kit/duty.ts";
import type { Duty } from "../../../kit/duty.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { Database } from "../../../storage/database.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { removeUnsentPieces, removeUnsentRows } from "./unsent-files.ts";

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
