/** The worker's duties for events: assign log positions where the change has not (ADR 87), and prune old payloads. */
import type { Clock } from "../kit/time/clock.ts";
import { periodic } from "../kit/duty.ts";
import type { Duty } from "../kit/duty.ts";
import type { Database } from "../storage/database.ts";
import { hasUnstamped, stampedAtOnce, stampPositions } from "./positions.ts";
import { hasPrunable, prunePayloads } from "./retention.ts";

export function positionDuty(database: Database): Duty {
  /** Events mostly come several in a row: the run after one that found some does without the look, which is a round trip. */
  let found = false;
  return {
    name: "assign event positions",
    wokenBy: ["unstamped_events"],
    async run() {
      if (!found && !(await hasUnstamped(database))) return "done";
      const stamped = await stampPositions(database);
      found = stamped > 0;
      if (!found) return "done";
      return stamped < stampedAtOnce ? "worked" : "more";
    },
    nextDue: async () => null,
  };
}

const daySeconds = 86_400;

/** `retentionDays`: how long payloads are kept. */
export function payloadDuty(database: Database, clock: Clock, retentionDays: number): Duty {
  return periodic({
    name: "prune event payloads",
    everySeconds: 600,
    clock,
    async run() {
      const before = new Date(clock.now().getTime() - retentionDays * daySeconds * 1000);
      if (!(await hasPrunable(database, before))) return "done";
      return (await prunePayloads(database, before)) > 0 ? "more" : "done";
    },
  });
}
