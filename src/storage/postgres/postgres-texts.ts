/** How statements and values travel to PostgreSQL and back: numbered placeholders, prepared names, plain numbers. */
import pg from "pg";
import type { Statement } from "./postgres-batch.ts";
import { readTime } from "./postgres-times.ts";
import type { Value } from "../rows.ts";

/** Constant texts with `?` → statements that each connection prepares once. */
export class CompiledTexts {
  readonly #statements = new Map<string, Statement>();

  /** The compiled form of a constant text, remembered for ever. */
  compile(text: string): Statement {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = { text: numbered(text), name: `crm_${this.#statements.size}` };
      this.#statements.set(text, statement);
    }
    return statement;
  }
}

/** A text that is sent this once. */
export function once(text: string): Statement {
  return { text: numbered(text), name: undefined };
}

/** `?` → `$n`. Question marks inside string literals do not occur in our texts. */
function numbered(text: string): string {
  let count = 0;
  return text.replaceAll("?", () => `$${++count}`);
}

/** Values travel as text. `pg` would write a Date in the process's time zone; UTC says what is meant. */
export function bind(value: Value): string | null {
  if (value === null) return null;
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Times arrive as milliseconds and JSON as text, as they do from SQLite; counts, sums and ids as numbers. */
export function setTypeParsers(pool: pg.Pool): void {
  const types = (pool.options as { types?: pg.TypeOverrides }).types;
  if (types === undefined) throw new Error("the pool has no type overrides");
  types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, readTime);
  types.setTypeParser(pg.types.builtins.JSON, String);
  types.setTypeParser(pg.types.builtins.INT8, Number);
  types.setTypeParser(pg.types.builtins.NUMERIC, Number);
}
