/** The raw limit on PostgreSQL: pg, statements named and so prepared once on each connection, as many connections as the service has. */
import pg from "pg";
import type { RawDatabase, Value } from "./raw-database.ts";
import { statementsFor } from "./raw-statements.ts";
import type { Statement } from "./raw-statements.ts";

const poolSize = 16;

export function openRawPostgres(url: string): RawDatabase {
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);
  pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => Date.parse(`${text.replace(" ", "T")}:00`));
  const pool = new pg.Pool({ connectionString: url, max: poolSize });

  const texts = new Map<Statement, string>();
  function named(statement: Statement, values: readonly Value[]) {
    let text = texts.get(statement);
    if (text === undefined) {
      let count = 0;
      text = statement.text.replaceAll("?", () => `$${++count}`);
      texts.set(statement, text);
    }
    return { name: statement.name, text, values: values as Value[] };
  }

  return {
    statements: statementsFor("postgres"),
    locks: true,
    time: (milliseconds) => new Date(milliseconds).toISOString(),
    read: async (statement, params) => (await pool.query(named(statement, params))).rows,
    async change(work) {
      const client = await pool.connect();
      try {
        await client.query("begin");
        const steps = work();
        let step = steps.next();
        while (step.done !== true) step = steps.next((await client.query(named(...step.value))).rows);
        await client.query("commit");
        return step.value;
      } catch (error) {
        await client.query("rollback");
        throw error;
      } finally {
        client.release();
      }
    },
  };
}
