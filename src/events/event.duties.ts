/** What the worker does for events: it gives them their positions, and forgets old payloads. */
import type { Clock } from "../kit/time/clock.ts";
import { periodic } from "../kit/duty.ts";
import type { Duty } from "../kit/duty.ts";
import type { Database } from "../storage/database.ts";
import { hasUnstamped, stampPositions } from "./positions.ts";
import { hasPrunable, prunePayloads } from "./retention.ts";

/** Runs whenever something was committed. */
export function positionDuty(database: Database): Duty {
  return {
    name: "give events their positions",
    wokenByCommits: true,
    async run() {
      if (!(await hasUnstamped(database))) return "done";
      return (await stampPositions(database)) > 0 ? "more" : "done";
    },
    nextDue: async () => null,
  };
}

const daySeconds = 86_400;

/** `retentionDays`: how long an event carries its payload. */
export function payloadDuty(database: Database, clock: Clock, retentionDays: number): Duty {
  return periodic({
    name: "forget old payloads",
    everySeconds: 600,
    clock,
    async run() {
      const before = new Date(clock.now().getTime() - retentionDays * daySeconds * 1000);
      if (!(await hasPrunable(database, before))) return "done";
      return (await prunePayloads(database, before)) > 0 ? "more" : "done";
    },
  });
}
