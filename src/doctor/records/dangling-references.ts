/** Rows that refer, without a foreign key, to a row that is gone. */
import { listed } from "../../storage/json.ts";
import { eachIdSlice } from "../../storage/inspection/id-slices.ts";
import type { Database } from "../../storage/database.ts";
import { sql } from "../../storage/sql-text.ts";
import { failure, fixCommand, listOf, ok } from "../check.ts";
import type { Check, Data } from "../check.ts";

interface PlainReference {
  readonly table: string;
  readonly column: string;
  readonly target: string;
  /** Deletes the row, or empties the column. */
  readonly mend: "delete" | "clear";
}

/** Columns without a foreign key whose target must exist. Events, runs and the ledger name records that they outlive. */
const references: readonly PlainReference[] = [
  { table: "deliveries", column: "event_id", target: "events", mend: "delete" },
  { table: "workflow_posts", column: "workflow_id", target: "workflows", mend: "delete" },
  { table: "workflow_rotations", column: "workflow_id", target: "workflows", mend: "delete" },
  { table: "attachments", column: "workflow_id", target: "workflows", mend: "clear" },
];

const danglingCondition = ({ table, column, target }: PlainReference): string =>
  `"${table}"."${column}" is not null and not exists (select 1 from "${target}" where "${target}".id = "${table}"."${column}")`;

async function* eachDangling(database: Database): AsyncGenerator<{ reference: PlainReference; ids: number[] }> {
  for (const reference of references)
    for await (const { after, until } of eachIdSlice(database, reference.table)) {
      const found = await database.rowsOnce<{ id: number }>(
        `select id from "${reference.table}" where id > ? and id <= ? and ${danglingCondition(reference)}`,
        [after, until],
      );
      if (found.length > 0) yield { reference, ids: found.map(({ id }) => id) };
    }
}

async function countDangling(
  database: Database,
  mend: (found: { reference: PlainReference; ids: number[] }) => unknown,
) {
  const counts = new Map<string, number>();
  for await (const found of eachDangling(database)) {
    await mend(found);
    const name = `${found.reference.table} whose ${found.reference.column} is gone`;
    counts.set(name, (counts.get(name) ?? 0) + found.ids.length);
  }
  return [...counts].map(([name, count]) => `${name}: ${count}`);
}

export const danglingReferences: Check<Data> = {
  name: "references",
  async examine({ database }) {
    const found = await countDangling(database, () => {});
    return found.length === 0 ? ok("every row that is referred to exists") : failure(listOf(found), fixCommand);
  },
  async mend({ database }) {
    const mended = await countDangling(database, ({ reference, ids }) => {
      const { table, column, mend } = reference;
      const change = mend === "delete" ? `delete from "${table}"` : `update "${table}" set "${column}" = null`;
      const text = sql`${change} where id in ${listed} and ${danglingCondition(reference)}`;
      return database.transaction(({ rowsOnce }) => rowsOnce(text, [JSON.stringify(ids)]));
    });
    return `removed or cleared ${listOf(mended)}`;
  },
};
