/** What the worker does for the installation: it says that it is alive, which /readyz tells. */
import type { Clock } from "../../kit/time/clock.ts";
import { periodic } from "../../kit/duty.ts";
import type { Duty } from "../../kit/duty.ts";
import type { Database } from "../database.ts";
import { workerSeen } from "./installation.ts";

export function heartbeatDuty(database: Database, clock: Clock): Duty {
  return periodic({
    name: "say that the worker is alive",
    everySeconds: 10,
    clock,
    async run() {
      await workerSeen(database, clock.now());
      return "done";
    },
  });
}
