/**
 * Reclaims the leases of dead workers: immediately if their process has ended on this machine, else when the lease
 * expires. An unexpired lease is kept unless its worker has certainly ended.
 */
import { periodic } from "../kit/duty.ts";
import type { Duty } from "../kit/duty.ts";
import type { Clock } from "../kit/time/clock.ts";
import type { Database } from "../storage/database.ts";
import type { Workers } from "../storage/installation/workers.ts";
import type { Queue } from "./queue.ts";

/** The leases of dead workers. */
export interface DeadLeases {
  /** All leases that expired before this time. */
  readonly now: Date;
  /** All leases of these workers. */
  readonly gone: readonly number[];
}

interface ReclaimDutyOptions extends Pick<Duty, "name"> {
  readonly database: Database;
  readonly clock: Clock;
  readonly queue: Queue;
  readonly workers: Workers;
  /** Requeues a batch of them; resolves to their number. */
  readonly takeBack: (dead: DeadLeases) => Promise<number>;
}

export function reclaimDuty({ name, database, clock, queue, workers, takeBack }: ReclaimDutyOptions): Duty {
  return periodic({
    name,
    everySeconds: 1,
    clock,
    async run() {
      const leases = await queue.findLeases(database);
      const now = clock.now();
      const gone = await workers.findGone(leases.flatMap(({ leased_by }) => leased_by ?? []));
      if (gone.length === 0 && leases.every(({ leased_until }) => leased_until >= now.getTime())) return "done";
      return (await takeBack({ now, gone })) > 0 ? "more" : "done";
    },
  });
}
