/**
 * Loaded into a service (`--import`): kills it with SIGKILL right before or after the nth execution of a step, as KILL_AT says: `before 5 commit`. A
 * step is an SQLite statement, a commit on PostgreSQL, a `piece` of a file that is made durable, a `commit after a piece`, or a `commit of TABLE`:
 * of a transaction that writes to one whose name begins so.
 */
import { createRequire, syncBuiltinESMExports } from "node:module";
import BetterSqlite from "better-sqlite3";
import { Pipeline } from "../../src/storage/postgres/postgres-pipeline.ts";

const [, moment, count, text] = /^(before|after) (\d+) (.+)$/.exec(process.env["KILL_AT"] ?? "") ?? [];
let left = Number(count);
let pieces = 0;
const table = /^commit of (.+)$/.exec(text ?? "")?.[1];
const writes = table === undefined ? undefined : new RegExp(`\\b(?:insert into|update|delete from) "?${table}`, "i");

/** `hasWritten`: to `table`. */
const isCounted = (hasWritten: boolean): boolean =>
  writes === undefined ? text !== "piece" && (text !== "commit after a piece" || pieces > 0) : hasWritten;
const isStep = (source: string): boolean => source === (text?.startsWith("commit ") ? "commit" : text);

const prepare = BetterSqlite.prototype.prepare;
/** Whether the open transaction of SQLite, which has one writer, wrote to `table`. */
let hasWritten = false;

BetterSqlite.prototype.prepare = function (this: BetterSqlite.Database, source: string) {
  const statement = prepare.call(this, source);
  if (writes?.test(source)) return noting(statement);
  if (!isStep(source)) return statement;
  const run = statement.run.bind(statement) as (...params: unknown[]) => BetterSqlite.RunResult;
  statement.run = (...params: unknown[]) => {
    if (!isCounted(hasWritten)) return run(...params);
    hasWritten = false;
    left -= 1;
    if (left === 0 && moment === "before") process.kill(process.pid, "SIGKILL");
    const result = run(...params);
    if (left === 0) process.kill(process.pid, "SIGKILL");
    return result;
  };
  return statement;
} as typeof prepare;

function noting(statement: BetterSqlite.Statement): BetterSqlite.Statement {
  for (const name of ["run", "all"] as const) {
    const execute = statement[name].bind(statement) as (...params: unknown[]) => never;
    statement[name] = (...params: unknown[]) => {
      hasWritten = true;
      return execute(...params);
    };
  }
  return statement;
}

const { commit, send, sendAhead } = Pipeline.prototype;
/** Transactions of PostgreSQL that wrote to `table`. */
const writers = new WeakSet<Pipeline>();

Pipeline.prototype.send = function (this: Pipeline, statement, values) {
  if (writes?.test(statement.text)) writers.add(this);
  send.call(this, statement, values);
};

Pipeline.prototype.sendAhead = function (this: Pipeline, statement, values) {
  if (writes?.test(statement.text)) writers.add(this);
  return sendAhead.call(this, statement, values);
};

Pipeline.prototype.commit = async function (this: Pipeline) {
  if (!isCounted(writers.has(this))) return commit.call(this);
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
