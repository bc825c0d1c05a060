/**
 * Takes back what workers had under way that died: at once where their process has ended on this machine, and else when their lease has
 * ended. A lease that is still to run is left alone unless it is certain that nobody works under it.
 */
import { periodic } from "../kit/duty.ts";
import type { Duty } from "../kit/duty.ts";
import type { Clock } from "../kit/time/clock.ts";
import type { Database } from "../storage/database.ts";
import type { Workers } from "../storage/installation/workers.ts";
import type { Queue } from "./queue.ts";

/** Whose leases are over. */
export interface Dead {
  /** All leases that ended before. */
  readonly now: Date;
  /** All leases of these workers. */
  readonly gone: readonly number[];
}

interface TakeBack {
  readonly name: string;
  readonly database: Database;
  readonly clock: Clock;
  readonly queue: Queue;
  readonly workers: Workers;
  /** Makes some of them due again; resolves to how many. */
  readonly takeBack: (dead: Dead) => Promise<number>;
}

export function takeBackDuty({ name, database, clock, queue, workers, takeBack }: TakeBack): Duty {
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
