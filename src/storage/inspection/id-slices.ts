/** Walks a table in slices of its ids: each slice is a short statement of its own, and the walk rests between two of them. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Rows } from "../rows.ts";

/** The ids after `after`, up to `until`. */
export interface IdSlice {
  readonly after: number;
  readonly until: number;
}

const rowsOfSlice = 5000;
/** The longest rest in milliseconds. */
const longestRest = 50;

/**
 * The slices of a table with whole-number ids. Before the next one it rests for as long as the caller worked, so that the walk takes at most
 * half of a core, and on SQLite no long read keeps the WAL from being checkpointed.
 */
export async function* eachIdSlice(rows: Rows, table: string, size = rowsOfSlice): AsyncGenerator<IdSlice> {
  const endText = `select max(id) as until from (select id from "${table}" where id > ? order by id limit ${size}) as slice`;
  for (let after = 0; ;) {
    const begun = performance.now();
    const [end] = await rows.rowsOnce<{ until: number | null }>(endText, [after]);
    if (end?.until === null || end === undefined) return;
    yield { after, until: end.until };
    after = end.until;
    await sleep(Math.min(performance.now() - begun, longestRest));
  }
}
