/** The raw limit on SQLite: better-sqlite3, statements prepared once, the durability that the service has. */
import BetterSqlite from "better-sqlite3";
import type { RawDatabase } from "./raw-database.ts";
import { statementsFor } from "./raw-statements.ts";
import type { Statement } from "./raw-statements.ts";

export function openRawSqlite(path: string): RawDatabase {
  const writer = new BetterSqlite(path);
  writer.pragma("journal_mode = WAL");
  writer.pragma("synchronous = FULL");
  writer.pragma("foreign_keys = ON");
  const reader = new BetterSqlite(path, { readonly: true });
  reader.pragma("cache_size = -32768");

  const read = prepared(reader);
  const write = prepared(writer);
  const begin = writer.prepare("begin immediate");
  const commit = writer.prepare("commit");
  const rollback = writer.prepare("rollback");

  return {
    statements: statementsFor("sqlite"),
    locks: false,
    time: (milliseconds) => milliseconds,
    read: async (statement, params) => read(statement).all(params),
    async change(work) {
      begin.run();
      try {
        const steps = work();
        let step = steps.next();
        while (step.done !== true) {
          const [statement, params] = step.value;
          const known = write(statement);
          step = steps.next(known.reader ? known.all(params) : (known.run(params), []));
        }
        commit.run();
        return step.value;
      } catch (error) {
        if (writer.inTransaction) rollback.run();
        throw error;
      }
    },
  };
}

function prepared(database: BetterSqlite.Database): (statement: Statement) => BetterSqlite.Statement {
  const kept = new Map<Statement, BetterSqlite.Statement>();
  return (statement) => {
    let known = kept.get(statement);
    if (known === undefined) kept.set(statement, (known = database.prepare(statement.text)));
    return known;
  };
}
