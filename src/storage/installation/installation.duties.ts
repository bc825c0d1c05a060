/** The worker's heartbeat, which /readyz and other workers check. */
import type { Clock } from "../../kit/time/clock.ts";
import { periodic } from "../../kit/duty.ts";
import type { Duty } from "../../kit/duty.ts";
import type { Database } from "../database.ts";
import { workerSeen } from "./installation.ts";
import type { Workers } from "./workers.ts";

export function heartbeatDuty(database: Database, clock: Clock, workers: Workers): Duty {
  return periodic({
    name: "say that the worker is alive",
    everySeconds: 10,
    clock,
    async run() {
      await workerSeen(database, clock.now());
      await workers.renew();
      return "done";
    },
  });
}
