/** Which tables a transaction writes, read from its statements, so that its commit can be told to those whose work lies in these tables. */
import type { WrittenTables } from "../../vocabulary/written-tables.ts";
import type { SqlText } from "../sql-text.ts";

/** Not the `for update` that locks rows. `on conflict do update set` finds the table `set`, which none watches. */
const writes = /(?<!\bfor )(?<!\bfor no key )\b(?:insert\s+into|update|delete\s+from)\s+"?(\w+)"?/gi;

function tablesIn(text: string): readonly string[] {
  return [...text.matchAll(writes)].map(([, table]) => table!);
}

/** By constant text. */
const known = new Map<string, readonly string[]>();

export class CommitTables {
  readonly #tables = new Set<string>();
  readonly #untold = new Set<string>();
  #areKnown = true;

  /** `isConstant`: as for `rows`, otherwise as for `rowsOnce`. */
  note(text: string | SqlText, isConstant: boolean): void {
    if (typeof text === "string") return this.#noteText(text, isConstant);
    this.#noteText(text.sqlite, isConstant);
    if (text.postgres !== text.sqlite) this.#noteText(text.postgres, isConstant);
  }

  noteUnknown(): void {
    this.#areKnown = false;
  }

  /** For tables from which the transaction takes work, so that it adds none. */
  keepUntold(tables: readonly string[]): void {
    for (const table of tables) this.#untold.add(table);
  }

  told(): WrittenTables {
    return this.#areKnown ? this.#tables.difference(this.#untold) : null;
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
