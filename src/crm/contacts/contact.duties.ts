/** What the worker does for contacts: it folds the rows that count them. */
import type { Clock } from "../../kit/time/clock.ts";
import { periodic } from "../../kit/duty.ts";
import type { Duty } from "../../kit/duty.ts";
import type { Database } from "../../storage/database.ts";
import { foldCounts } from "./contact-counts.ts";

export function countDuty(database: Database, clock: Clock): Duty {
  return periodic({
    name: "fold the counters",
    everySeconds: 5,
    clock,
    run: async () => ((await foldCounts(database)) > 0 ? "more" : "done"),
  });
}
