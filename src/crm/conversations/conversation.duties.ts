/** The worker's duty for conversations: reopens them when their snooze ends. */
import type { CallAs } from "../../events/call-as.ts";
import type { Duty } from "../../kit/duty.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Rows } from "../../storage/rows.ts";
import { endSnoozes, nextSnoozeEnd } from "./snooze-ends.ts";

/** Woken by changes of conversations, since one may add an earlier snooze. */
export function snoozeDuty(rows: Rows, callAs: CallAs, clock: Clock): Duty {
  return {
    name: "end snoozes",
    wokenBy: ["conversations"],
    run: async () => ((await endSnoozes(rows, callAs, clock.now())) > 0 ? "more" : "done"),
    nextDue: () => nextSnoozeEnd(rows),
  };
}
