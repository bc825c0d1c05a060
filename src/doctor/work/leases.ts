/** Leases that end far in the future, as a clock that was wrong leaves them: until then no worker takes the work. */
import type { Data, Check } from "../check.ts";
import { failure, fixCommand, listOf, ok } from "../check.ts";

/** Tables whose rows are leased; `leased_until` of each is indexed, or the table is small. */
const leased = ["deliveries", "message_sends", "workflow_posts", "mailboxes", "backup_records"];
/** In milliseconds, longer than any lease. */
const longest = 600_000;

async function countLeases({ database, clock }: Data): Promise<string[]> {
  const until = new Date(clock.now().getTime() + longest);
  const found: string[] = [];
  for (const table of leased) {
    const [row] = await database.rowsOnce<{ count: number }>(
      `select count(*) as count from "${table}" where leased_until > ?`,
      [until],
    );
    if (Number(row!.count) > 0) found.push(`${row!.count} of ${table}`);
  }
  return found;
}

export const leases: Check<Data> = {
  name: "leases",
  async examine(data) {
    const found = await countLeases(data);
    return found.length === 0
      ? ok("every lease ends within minutes")
      : failure(`leases end in the future: ${listOf(found)}`, fixCommand);
  },
  async mend(data) {
    const { database, clock } = data;
    const found = await countLeases(data);
    const now = clock.now();
    // Now expired: a worker takes the work back as it does from one that has died, and a fencing token refuses late results.
    for (const table of leased)
      await database.transaction(async ({ rowsOnce }) =>
        rowsOnce(`update "${table}" set leased_until = ? where leased_until > ?`, [
          now,
          new Date(now.getTime() + longest),
        ]),
      );
    return `ended leases: ${listOf(found)}`;
  },
};
