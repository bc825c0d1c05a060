/** The worker's duty for contacts: compacts their counters. */
import type { Clock } from "../../kit/time/clock.ts";
import { periodic } from "../../kit/duty.ts";
import type { Duty } from "../../kit/duty.ts";
import type { Database } from "../../storage/database.ts";
import { compactCounts } from "./contact-counts.ts";

export function countDuty(database: Database, clock: Clock): Duty {
  return periodic({
    name: "compact contact counters",
    everySeconds: 5,
    clock,
    run: async () => ((await compactCounts(database)) > 0 ? "more" : "done"),
  });
}
