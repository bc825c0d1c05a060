/**
 * Merges the segments of an FTS5 table, of which each transaction adds one, in short transactions: FTS5 itself would merge while a transaction writes
 * (`automerge`, turned off), for up to 150 milliseconds, in which the process does nothing else.
 */
import type { Database, Transaction } from "../database.ts";
import type { SqlText } from "../sql-text.ts";

/** Pages of one step: ten milliseconds. */
const mostPages = 16;
/** Steps after a transaction: several times what its segment adds to merge. */
const mostSteps = 16;
/** Segments that FTS5 merges at once after all, before look-ups become slow. */
const mostSegments = 256;

export interface Segments {
  /** Begins to merge all into one, which drops the terms of removed rows from the file; empty where removal does so itself. */
  readonly beginMerge: SqlText;
  /** Merges some pages; resolves to whether more are to be merged. */
  mergeSome(transaction: Pick<Transaction, "rows" | "send">): Promise<boolean>;
  /** Merges what a transaction added, after its commit. */
  mergeAdded(database: Pick<Database, "dialect" | "transaction">): Promise<void>;
}

/** SQL for migrations. */
export function mergingByProgram(table: string): readonly string[] {
  return [setting(table, "automerge", 0), setting(table, "crisismerge", mostSegments)];
}

/** The defaults of FTS5. */
export function mergingByItself(table: string): readonly string[] {
  return [setting(table, "automerge", 4), setting(table, "crisismerge", 16)];
}

const setting = (table: string, name: string, value: number): string =>
  `insert into \`${table}\` (\`${table}\`, rank) values ('${name}', ${value});`;

const changes: SqlText = { sqlite: "select total_changes() as count", postgres: "" };

export function segmentsOf(table: string): Segments {
  const mergeBy = (pages: number): SqlText => ({
    sqlite: `insert into ${table} (${table}, rank) values ('merge', ${pages})`,
    postgres: "",
  });
  const merge = mergeBy(mostPages);
  const segments: Segments = {
    beginMerge: mergeBy(-mostPages),
    async mergeSome({ rows, send }) {
      const [before] = await rows<{ count: number }>(changes);
      send(merge);
      const [after] = await rows<{ count: number }>(changes);
      // The statement itself counts as one.
      return before !== undefined && after !== undefined && after.count - before.count > 1;
    },
    async mergeAdded(database) {
      if (database.dialect !== "sqlite") return;
      for (let step = 0; step < mostSteps && (await database.transaction(segments.mergeSome)); step += 1);
    },
  };
  return segments;
}
