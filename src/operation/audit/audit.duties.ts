/** The worker's duties for the audit log: chain new entries, and remove old ones. */
import { periodic } from "../../kit/duty.ts";
import type { Duty } from "../../kit/duty.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Database } from "../../storage/database.ts";
import { chainEntries, findOld, hasUnchained, pruneEntries, readEnds } from "./chain.ts";
import type { Vault } from "./chain.ts";

const dayMilliseconds = 86_400_000;

/** Until it runs, an entry is not protected. It is no follower of commits, which are far more frequent than entries. */
export function auditChainDuty(database: Database, clock: Clock, vault: Vault): Duty {
  return periodic({
    name: "chain audit entries",
    everySeconds: 2,
    clock,
    async run() {
      // A look without a transaction, which on SQLite would wait for other writers.
      if (!(await hasUnchained(database))) return "done";
      return (await chainEntries(database, vault)) > 0 ? "more" : "done";
    },
  });
}

export function auditRetentionDuty(database: Database, clock: Clock, vault: Vault, retentionDays: number): Duty {
  return periodic({
    name: "remove old audit entries",
    everySeconds: 600,
    clock,
    async run() {
      const before = new Date(clock.now().getTime() - retentionDays * dayMilliseconds);
      const { anchor } = await readEnds(database, vault);
      if ((await findOld(database, anchor.position, before)).length === 0) return "done";
      return (await pruneEntries(database, vault, before)) > 0 ? "more" : "done";
    },
  });
}
