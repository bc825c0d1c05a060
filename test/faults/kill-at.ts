/**
 * Loaded into a service (`--import`): kills it with SIGKILL right before or after the nth execution of a step, as KILL_AT says: `before 5 commit`. A
 * step is an SQLite statement, a commit on PostgreSQL, a `piece` of a file that is made durable, or a `commit after a piece`.
 */
import { createRequire, syncBuiltinESMExports } from "node:module";
import BetterSqlite from "better-sqlite3";
import { Pipeline } from "../../src/storage/postgres/postgres-pipeline.ts";

const [, moment, count, text] = /^(before|after) (\d+) (.+)$/.exec(process.env["KILL_AT"] ?? "") ?? [];
let left = Number(count);
let pieces = 0;
const isCommit = (): boolean => text !== "piece" && (text !== "commit after a piece" || pieces > 0);

const prepare = BetterSqlite.prototype.prepare;

BetterSqlite.prototype.prepare = function (this: BetterSqlite.Database, source: string) {
  const statement = prepare.call(this, source);
  if (source !== text && !(source === "commit" && text === "commit after a piece")) return statement;
  const run = statement.run.bind(statement) as (...params: unknown[]) => BetterSqlite.RunResult;
  statement.run = (...params: unknown[]) => {
    if (!isCommit()) return run(...params);
    left -= 1;
    if (left === 0 && moment === "before") process.kill(process.pid, "SIGKILL");
    const result = run(...params);
    if (left === 0) process.kill(process.pid, "SIGKILL");
    return result;
  };
  return statement;
} as typeof prepare;

const commit = Reflect.get(Pipeline.prototype, "commit") as (this: Pipeline) => Promise<void>;

Pipeline.prototype.commit = async function (this: Pipeline) {
  if (!isCommit()) return commit.call(this);
  left -= 1;
  const isIt = left === 0;
  if (isIt && moment === "before") process.kill(process.pid, "SIGKILL");
  await commit.call(this);
  if (isIt) process.kill(process.pid, "SIGKILL");
};

// A piece is written first, and then opened to be flushed.
const files = createRequire(import.meta.url)("node:fs/promises") as typeof import("node:fs/promises");
const open = files.open;
files.open = async (path, ...rest) => {
  if (!/blobs[/\\][^/\\]+[/\\]\d+$/.test(String(path))) return open(path, ...rest);
  pieces += 1;
  if (text === "piece") left -= 1;
  if (text === "piece" && left === 0) process.kill(process.pid, "SIGKILL");
  return open(path, ...rest);
};
syncBuiltinESMExports();
