/** What the worker does for conversations: it ends their snoozes. */
import type { CallAs } from "../../events/call-as.ts";
import type { Duty } from "../../kit/duty.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Rows } from "../../storage/rows.ts";
import { endSnoozes, nextSnoozeEnd } from "./snooze-ends.ts";

/** A commit may bring a snooze that ends before all others. */
export function snoozeDuty(rows: Rows, callAs: CallAs, clock: Clock): Duty {
  return {
    name: "end snoozes",
    wokenByCommits: true,
    run: async () => ((await endSnoozes(rows, callAs, clock.now())) > 0 ? "more" : "done"),
    nextDue: () => nextSnoozeEnd(rows),
  };
}
