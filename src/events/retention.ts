/** A duty of the worker: forgets the frozen payload of old events. The row stays, as the activity it is. */
import type { Database } from "../storage/database.ts";

const batch = 1000;

/** Prunes up to a thousand payloads of events from before `before`; resolves to how many. */
export function prunePayloads(database: Database, before: Date): Promise<number> {
  return database.transaction(async ({ rows }) => {
    const pruned = await rows<{ id: number }>(
      `update events set data = null where id in
         (select id from events where data is not null and created_at < ? order by created_at, id limit ${batch})
       returning id`,
      [before],
    );
    return pruned.length;
  });
}

/** Whether an event from before `before` still carries its payload. */
export async function hasPrunable(database: Database, before: Date): Promise<boolean> {
  const found = await database.rows("select 1 as found from events where data is not null and created_at < ? limit 1", [
    before,
  ]);
  return found.length > 0;
}
