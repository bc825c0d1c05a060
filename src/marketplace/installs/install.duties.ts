/** The duty of installs: deletes pending installs that expired. */
import { periodic } from "../../kit/duty.ts";
import type { Duty } from "../../kit/duty.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Database } from "../../storage/database.ts";
import { forgetPendingInstalls } from "./pending-install.service.ts";

export function pendingInstallDuty(database: Database, clock: Clock): Duty {
  return periodic({
    name: "delete expired pending installs",
    everySeconds: 3600,
    clock,
    async run() {
      const now = clock.now();
      const forgotten = await database.transaction((change) => forgetPendingInstalls(change, now));
      return forgotten > 0 ? "more" : "done";
    },
  });
}
