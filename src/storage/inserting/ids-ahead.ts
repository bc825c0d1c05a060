/**
 * Ids that come along with what a request asks first, for rows that it will insert if it is let in: its change then has nothing to
 * ask for, and leaves whole. SQLite gives ids as it inserts, and is asked for none.
 */
import type { SqlText } from "../sql-text.ts";

/** One id by table. Whoever takes one takes it out: a change that is run anew asks for its own. What nobody takes leaves a gap. */
export type IdsAhead = Map<string, number>;

/** What PostgreSQL is asked for one id of `table`. */
export function nextId(table: string): string {
  return `nextval('${table}_id_seq')`;
}

/**
 * Texts of a select that gives ids of some tables along: `make` is handed the end of its list of columns. Each choice of tables, which are
 * constants of the program, makes one text.
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

/** The ids that a row of such a select brought; undefined where it brought none. */
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
