/** The registry of workers: leases carry a worker's ID, and processes of the same machine detect when it has ended. */
import { hasEnded, readOwnMark } from "../../kit/process-mark.ts";
import type { ProcessMark } from "../../kit/process-mark.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Database } from "../database.ts";
import { listed } from "../json.ts";
import { sql } from "../sql-text.ts";

export interface Workers {
  /** The worker ID of this process, for its leases; null on a system that cannot detect the end of a process. */
  own(): Promise<number | null>;
  /** Workers whose process has certainly ended; never one of another machine, boot or container. */
  findGone(ids: readonly number[]): Promise<number[]>;
  /** Writes the heartbeat of this process, and removes workers without one for long. */
  renew(): Promise<void>;
}

/** In milliseconds, longer than any lease. */
const forgottenAfter = 600_000;

const insertText = "insert into workers (machine, pid, started_at, seen_at) values (?, ?, ?, ?) returning id";
const goneText = sql`select id, pid, started_at from workers where machine = ? and id in ${listed}`;

export function createWorkers(database: Database, clock: Clock, mark: ProcessMark | null = readOwnMark()): Workers {
  let registering: Promise<number> | undefined;

  function register({ machine, pid, startedAt }: ProcessMark): Promise<number> {
    registering ??= database
      .transaction(async ({ rows }) => {
        const [row] = await rows<{ id: number }>(insertText, [machine, pid, startedAt, clock.now()]);
        return row!.id;
      })
      .catch((error: unknown) => {
        registering = undefined;
        throw error;
      });
    return registering;
  }

  return {
    own: async () => (mark === null ? null : register(mark)),
    async findGone(ids) {
      if (mark === null || ids.length === 0) return [];
      const known = await database.rows<{ id: number; pid: number; started_at: number }>(goneText, [
        mark.machine,
        JSON.stringify(ids),
      ]);
      return known.flatMap(({ id, pid, started_at: startedAt }) => (hasEnded({ pid, startedAt }) ? [id] : []));
    },
    async renew() {
      const now = clock.now();
      const own = await registering;
      const isKnown = await database.transaction(async (transaction) => {
        transaction.send("delete from workers where seen_at < ?", [new Date(now.getTime() - forgottenAfter)]);
        if (own === undefined) return true;
        return (
          (await transaction.rows("update workers set seen_at = ? where id = ? returning id", [now, own])).length > 0
        );
      });
      // This process was stalled so long that its row was removed: further leases get a new ID.
      if (!isKnown) registering = undefined;
    },
  };
}
