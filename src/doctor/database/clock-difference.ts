/** The clock of this machine against the database server, and against what the database holds. */
import { readServerClock } from "../../storage/inspection/engine.ts";
import { readWorkerSeen } from "../../storage/installation/installation.ts";
import { failure, ok, warning } from "../check.ts";
import type { Check, Data } from "../check.ts";

/** In milliseconds. Leases last from 12 seconds on. */
const muchOff = 5000;
const off = 1000;

const remedy = "synchronize the clocks (NTP)";

export const clockDifference: Check<Data> = {
  name: "clock",
  async examine({ database, clock }) {
    const seen = await readWorkerSeen(database);
    const before = clock.now().getTime();
    const server = await readServerClock(database);
    const now = clock.now().getTime();
    const ahead = (seen?.getTime() ?? 0) - now;
    if (ahead > muchOff)
      return failure(
        `a worker was seen ${seconds(ahead)} in the future: this clock is behind, or was set back`,
        remedy,
      );
    if (server === null) return ok("the database uses the clock of this machine");
    // The answer is on its way for some of the time.
    const difference = Math.max(0, before - server.getTime(), server.getTime() - now);
    if (difference > off)
      return (difference > muchOff ? failure : warning)(
        `the clocks of this machine and of the database differ by ${seconds(difference)}`,
        remedy,
      );
    return ok("the clocks of this machine and of the database agree");
  },
};

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} seconds`;
}
