/** Opens an SQLite file: WAL, synchronous FULL, one writing and one reading connection. */
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { MikroORM } from "@mikro-orm/sqlite";
import type { Database, OrmOptions } from "../database.ts";
import { orUnavailable } from "../faults.ts";
import { ImmediateSqliteDialect } from "./sqlite-dialect.ts";
import { holdingLockFile, openSnapshot, openSqliteFile, truncateLog } from "./sqlite-file.ts";
import { SqliteLine } from "./sqlite-line.ts";
import { SqliteRows } from "./sqlite-rows.ts";
import { checkForeignKeys, readIdMarks, restoreIdMarks, asSchemaChange } from "./sqlite-schema.ts";
import { createCommitListeners } from "../commits/commit-listeners.ts";
import { createLazyEntities, createTransaction, noEntities } from "../transaction.ts";
import { CommitTables } from "../commits/commit-tables.ts";
import { watchWrites } from "../installation/write-faults.ts";

/** Poll interval for commits of other processes, in milliseconds: half a percent of a core. */
const commitPollInterval = 20;

/**
 * Opens the SQLite database at `path`; with `create`, creates a missing file and folder. Throws errors of
 * better-sqlite3.
 */
export async function openSqlite(
  path: string,
  { create, ...options }: OrmOptions & { create: boolean },
): Promise<Database> {
  const file = openSqliteFile(path, { create });
  const { writer, reader } = file;
  const line = new SqliteLine(writer, (work) => client.transaction().execute(work));
  const dialect = new ImmediateSqliteDialect(writer, line);
  const orm = await MikroORM.init({ ...options, ...noEntities, dbName: path, driverOptions: dialect });
  const withEntities = createLazyEntities(orm, options.entities);
  // MikroORM connects lazily, and a first flush inside a transaction would deadlock.
  await orm.connect();
  const client = orm.driver.getConnection().getClient();
  const reads = new SqliteRows(reader);
  const writes = new SqliteRows(writer, { isInTransaction: true });
  const commits = createCommitListeners();
  // The writing connection belongs to this change, so compiled statements use it directly.
  const begin: Database["transaction"] = async (work, _ids, size) => {
    const written = new CommitTables("sqlite");
    const result = await orUnavailable(
      line.stand((context) => work(createTransaction(withEntities, () => context, writes, written)), size),
    );
    commits.notify(written.written());
    return result;
  };
  const { watch, writeFault } = watchWrites(begin, async () => {
    const { bavail, bsize } = await statfs(dirname(path));
    return bavail * bsize;
  });

  const shared = { rows: reads.rows, rowsOnce: reads.rowsOnce, transaction: watch(begin) };
  return {
    ...shared,
    // Reads take turns by the time that they take (kit/waiting/time-slice.ts), and changes share commits.
    forHolder: () => shared,
    writeFault,
    get orm() {
      return withEntities();
    },
    dialect: "sqlite",
    isInProcess: true,
    rowsOfBoth: async (first, second) => [await reads.rows(...first), await reads.rows(...second)],
    // Reads never wait.
    reserve: reads,
    get load() {
      return line.load;
    },
    async snapshot(read) {
      const snapshot = openSnapshot(path);
      try {
        return await read(new SqliteRows(snapshot));
      } finally {
        snapshot.close();
      }
    },
    changeSchema: (work, written = null) =>
      orUnavailable(
        client.connection().execute((held) =>
          asSchemaChange(writer, () =>
            held.transaction().execute(async (context) => {
              const marks = readIdMarks(writer);
              const result = await work(
                createTransaction(withEntities, () => context, writes, new CommitTables("sqlite")),
              );
              checkForeignKeys(writer, written);
              restoreIdMarks(writer, marks);
              return result;
            }),
          ),
        ),
      ),
    purge: () => client.connection().execute(async () => truncateLog(writer)),
    async watchCommits(listener) {
      const remove = commits.add(listener);
      // The version of a connection changes with the commits of others: of this process, only the writing connection commits.
      const version = writer.prepare("pragma data_version").pluck();
      let seen = version.get();
      /** Undefined where the disk fails: that must not end the process, and the next look sees what this one missed. */
      const look = (): unknown => {
        try {
          return version.get();
        } catch {
          return undefined;
        }
      };
      const timer = setInterval(() => {
        const now = look();
        if (now === undefined || now === seen) return;
        seen = now;
        listener(null);
      }, commitPollInterval);
      return async () => {
        remove();
        clearInterval(timer);
      };
    },
    exclusively: (name, work) => holdingLockFile(`${path}.${name}.lock`, work),
    async close() {
      // The writer is closed last: it checkpoints the WAL and removes it.
      reader.close();
      await orm.close(true);
      file.close();
    },
  };
}
