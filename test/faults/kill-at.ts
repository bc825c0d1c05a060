/**
 * Loaded into a service (`--import`): kills it with SIGKILL right before or after the nth execution of an SQLite statement, or the nth commit
 * on PostgreSQL, as KILL_AT says: `before 5 commit`.
 */
import BetterSqlite from "better-sqlite3";
import { Pipeline } from "../../src/storage/postgres/postgres-pipeline.ts";

const [, moment, count, text] = /^(before|after) (\d+) (.+)$/.exec(process.env["KILL_AT"] ?? "") ?? [];
let left = Number(count);
const prepare = BetterSqlite.prototype.prepare;

BetterSqlite.prototype.prepare = function (this: BetterSqlite.Database, source: string) {
  const statement = prepare.call(this, source);
  if (source !== text) return statement;
  const run = statement.run.bind(statement) as (...params: unknown[]) => BetterSqlite.RunResult;
  statement.run = (...params: unknown[]) => {
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
  left -= 1;
  const isIt = left === 0;
  if (isIt && moment === "before") process.kill(process.pid, "SIGKILL");
  await commit.call(this);
  if (isIt) process.kill(process.pid, "SIGKILL");
};
