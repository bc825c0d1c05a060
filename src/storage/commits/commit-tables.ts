/** Which tables a transaction writes, read from its statements, so that listeners are notified only of commits in the tables of their work. */
import type { WrittenTables } from "../../vocabulary/written-tables.ts";
import type { Dialect, SqlText } from "../sql-text.ts";

/** Neither the `for update` that locks rows nor the `do update` of an insert. */
const writes = /(?<!\b(?:for|for no key|do) )\b(?:insert(?: or \w+)?\s+into|update|delete\s+from)\s+"?(\w+)"?/gi;

function tablesIn(text: string): readonly string[] {
  return [...text.matchAll(writes)].map(([, table]) => table!);
}

/** By constant text. */
const known = new Map<string, readonly string[]>();

export class CommitTables {
  readonly #tables = new Set<string>();
  readonly #excluded = new Set<string>();
  readonly #dialect: Dialect;
  #areKnown = true;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** `isConstant`: as for `rows`, otherwise as for `rowsOnce`. */
  note(text: string | SqlText, isConstant: boolean): void {
    this.#noteText(typeof text === "string" ? text : text[this.#dialect], isConstant);
  }

  noteUnknown(): void {
    this.#areKnown = false;
  }

  /** Leaves out tables from which the transaction takes work and to which it adds none. */
  exclude(tables: readonly string[]): void {
    for (const table of tables) this.#excluded.add(table);
  }

  written(): WrittenTables {
    return this.#areKnown ? this.#tables.difference(this.#excluded) : null;
  }

  #noteText(text: string, isConstant: boolean): void {
    let tables = known.get(text);
    if (tables === undefined) {
      tables = tablesIn(text);
      if (isConstant) known.set(text, tables);
    }
    for (const table of tables) this.#tables.add(table);
  }
}
