/** The worker's duty for sessions: deletes expired sessions and account links. */
import { periodic } from "../../kit/duty.ts";
import type { Duty } from "../../kit/duty.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Database } from "../../storage/database.ts";
import { deleteExpiredLinks } from "../invitations/account-link.service.ts";
import { deleteOldSessions } from "./session.service.ts";

const daySeconds = 86_400;

/** `retentionDays`: how long after its sign-in a session is kept. */
export function sessionDuty(database: Database, clock: Clock, retentionDays: number): Duty {
  return periodic({
    name: "delete expired sessions",
    everySeconds: 3600,
    clock,
    async run() {
      const now = clock.now();
      const signedInBefore = new Date(now.getTime() - retentionDays * daySeconds * 1000);
      const forgotten = await database.transaction(
        // Links before sessions: the lock order of redeeming a link (docs/lock-order.md).
        async (change) => (await deleteExpiredLinks(change, now)) + (await deleteOldSessions(change, signedInBefore)),
      );
      return forgotten > 0 ? "more" : "done";
    },
  });
}
