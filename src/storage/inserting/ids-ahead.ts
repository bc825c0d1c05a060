/**
 * Reserves IDs together with the first query of a request, for rows it will insert if authorized: its change then needs
 * no query and travels in one round trip. SQLite assigns IDs on insert.
 */
import type { SqlText } from "../sql-text.ts";

/** One ID per table. Taking it removes it: a retried change reserves its own. An unused ID leaves a gap. */
export type IdsAhead = Map<string, number>;

/** The PostgreSQL expression for one ID of `table`. */
export function nextId(table: string): string {
  return `nextval('${table}_id_seq')`;
}

/**
 * Variants of a select that also reserves IDs of some tables: `make` receives the additional columns. Each combination
 * of tables, which are constants, is one text.
 */
export function givingIds(make: (ids: SqlText) => SqlText): (tables: readonly string[]) => SqlText {
  const made = new Map<string, SqlText>();
  return (tables) => {
    const key = tables.join(" ");
    let text = made.get(key);
    if (text === undefined) {
      const ids = tables.map((table) => `, ${nextId(table)} as ${columnOf(table)}`).join("");
      text = make({ sqlite: "", postgres: ids });
      made.set(key, text);
    }
    return text;
  };
}

/** The IDs in a row of such a select; undefined if it has none. */
export function readIds(row: object, tables: readonly string[]): IdsAhead | undefined {
  const given = row as Readonly<Record<string, number | undefined>>;
  const ids: IdsAhead = new Map();
  for (const table of tables) {
    const id = given[columnOf(table)];
    if (id !== undefined) ids.set(table, id);
  }
  return ids.size === 0 ? undefined : ids;
}

function columnOf(table: string): string {
  return `next_${table}_id`;
}
