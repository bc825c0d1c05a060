/** How statements and values travel to PostgreSQL and back: numbered placeholders, prepared names, plain numbers. */
import pg from "pg";
import { forgetValues } from "./postgres-errors.ts";
import type { WaitingClient } from "./postgres-silence.ts";
import { readTime } from "./postgres-times.ts";
import type { Value } from "../rows.ts";

/** Text with `?` → the same text with `$1, $2 …`, and the name under which each connection prepares it. */
export class CompiledTexts {
  readonly #byText = new Map<string, string>();
  readonly #names = new Map<string, string>();

  /** The compiled form of a constant text, remembered for ever. */
  compile(text: string): string {
    let compiled = this.#byText.get(text);
    if (compiled === undefined) {
      compiled = numbered(text);
      this.#byText.set(text, compiled);
      this.#names.set(compiled, `crm_${this.#names.size}`);
    }
    return compiled;
  }

  nameOf(compiled: string): string | undefined {
    return this.#names.get(compiled);
  }
}

/** `?` → `$n`. Question marks inside string literals do not occur in our texts. */
export function numbered(text: string): string {
  let count = 0;
  return text.replaceAll("?", () => `$${++count}`);
}

/** Sends a numbered text and bound values; resolves to the rows. */
export type Send = (text: string, params: unknown[]) => Promise<unknown[]>;

/** A client that prepares the texts that were compiled, each under its name; Kysely and the pool hand over text and values. */
export function namingClient(texts: CompiledTexts): typeof pg.Client {
  return class extends pg.Client implements WaitingClient {
    isWaiting = false;

    constructor(config?: string | pg.ClientConfig) {
      super(config);
      forgetValues(this);
      this.on("drain", () => (this.isWaiting = false));
    }

    override query(...args: unknown[]): never {
      this.isWaiting = true;
      const [text, values] = args;
      const name = typeof text === "string" ? texts.nameOf(text) : undefined;
      const forwarded = name === undefined ? args : [{ name, text, values }, ...args.slice(2)];
      return super.query(...(forwarded as Parameters<pg.Client["query"]>)) as never;
    }
  };
}

/** `pg` writes a Date in the process's time zone; UTC says what is meant. */
export function bind(value: Value): string | number | boolean | null {
  return value instanceof Date ? value.toISOString() : value;
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
