/** Opens an embedded SQLite file: WAL, synchronous FULL, one writing connection and one that only reads. */
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { MikroORM } from "@mikro-orm/sqlite";
import type { Database, OrmOptions } from "../database.ts";
import { orUnavailable } from "../faults.ts";
import { ImmediateSqliteDialect } from "./sqlite-dialect.ts";
import { holdingLockFile, openSqliteFile } from "./sqlite-file.ts";
import { SqliteLine } from "./sqlite-line.ts";
import { SqliteRows } from "./sqlite-rows.ts";
import { checkForeignKeys, readIdMarks, restoreIdMarks, asSchemaChange } from "./sqlite-schema.ts";
import { createTransaction } from "../transaction.ts";
import { watchWrites } from "../installation/write-faults.ts";

/** How often a worker looks whether another process committed, in milliseconds: half a percent of a core. */
const commitPollInterval = 20;

/** Opens the SQLite database at `path`, and with `create` makes it and its folder. Throws what better-sqlite3 throws. */
export async function openSqlite(
  path: string,
  { create, ...options }: OrmOptions & { create: boolean },
): Promise<Database> {
  const file = openSqliteFile(path, { create });
  const { writer, reader } = file;
  const line = new SqliteLine(writer, (work) => client.transaction().execute(work));
  const dialect = new ImmediateSqliteDialect(writer, line);
  const orm = await MikroORM.init({ ...options, dbName: path, driverOptions: dialect });
  // MikroORM connects lazily, and a first flush inside a transaction of ours would wait for itself.
  await orm.connect();
  const client = orm.driver.getConnection().getClient();
  const reads = new SqliteRows(reader);
  const writes = new SqliteRows(writer);
  const watched = watchWrites(
    // The writing connection is the change's alone meanwhile, so compiled statements go to it directly.
    (work, _ids, size) =>
      orUnavailable(line.stand((context) => work(createTransaction(orm, () => context, writes)), size)),
    async () => {
      const { bavail, bsize } = await statfs(dirname(path));
      return bavail * bsize;
    },
  );

  return {
    orm,
    dialect: "sqlite",
    rows: reads.rows,
    rowsOnce: reads.rowsOnce,
    // Reads wait for nobody.
    reserve: reads,
    ...watched,
    changeSchema: (work) =>
      orUnavailable(
        client.connection().execute((held) =>
          asSchemaChange(writer, () =>
            held.transaction().execute(async (context) => {
              const marks = readIdMarks(writer);
              const result = await work(createTransaction(orm, () => context, writes));
              checkForeignKeys(writer);
              restoreIdMarks(writer, marks);
              return result;
            }),
          ),
        ),
      ),
    async watchCommits(listener) {
      const version = reader.prepare("pragma data_version").pluck();
      let seen = version.get();
      const timer = setInterval(() => {
        const now = version.get();
        if (now === seen) return;
        seen = now;
        listener();
      }, commitPollInterval);
      return async () => clearInterval(timer);
    },
    // Whoever watches sees the commit itself.
    announceCommit() {},
    exclusively: (name, work) => holdingLockFile(`${path}.${name}.lock`, work),
    async close() {
      // The one that writes is closed last: it empties the write-ahead log into the file, and removes it.
      reader.close();
      await orm.close(true);
      file.close();
    },
  };
}
