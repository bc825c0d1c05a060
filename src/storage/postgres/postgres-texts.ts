/** Converts statements and values for PostgreSQL: numbered placeholders, prepared names, plain numbers. */
import pg from "pg";
import type { Statement } from "./postgres-batch.ts";
import { readTime } from "./postgres-times.ts";
import type { Value } from "../value.ts";

/** Cache of constant texts → prepared statements. */
export class CompiledTexts {
  readonly #statements = new Map<string, Statement>();

  /** The compiled form of a constant text, cached for ever. */
  compile(text: string): Statement {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = { text: numbered(text), name: `crm_${this.#statements.size}` };
      this.#statements.set(text, statement);
    }
    return statement;
  }
}

/** A text used once. */
export function once(text: string): Statement {
  return { text: numbered(text), name: undefined };
}

/** `?` → `$n`. Our texts contain no question marks in string literals. */
function numbered(text: string): string {
  let count = 0;
  return text.replaceAll("?", () => `$${++count}`);
}

/** Values are sent as text. `pg` would write a Date in the time zone of the process; UTC is unambiguous. */
export function bind(value: Value): string | null {
  if (value === null) return null;
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Times arrive as milliseconds and JSON as text, as from SQLite; counts, sums and IDs as numbers. */
export function setTypeParsers(pool: pg.Pool): void {
  const types = (pool.options as { types?: pg.TypeOverrides }).types;
  if (types === undefined) throw new Error("the pool has no type overrides");
  types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, readTime);
  types.setTypeParser(pg.types.builtins.JSON, String);
  types.setTypeParser(pg.types.builtins.INT8, Number);
  types.setTypeParser(pg.types.builtins.NUMERIC, Number);
}
