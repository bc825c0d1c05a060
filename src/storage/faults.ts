/** Tells a fault of the database (down, full, locked: try later) and a broken constraint from a defect of ours. */
import { Refusal, Unavailable } from "../vocabulary/errors.ts";
import { DatabaseError } from "./open-faults.ts";

/** SQLite: locked, full, unwritable or failing storage. https://sqlite.org/rescode.html */
const sqliteFaults = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|PROTOCOL)/;

/**
 * PostgreSQL: classes 08 (connection), 53 (resources), 57P (shutdown, crash, not yet up), 58 (system); a wait for a lock, a
 * deadlock or a serialization that was given up; a statement or a connection that somebody ended; a server that may
 * not write. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const postgresFaults = /^(08|53|57014|57P0|58|55P03|40001|40P01|25006|25P03|25P04)/;

const networkFaults = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "ENOENT"]);

/** What `pg` says without a code when a connection is gone or none was to be had in time. */
const connectionLost =
  /connection terminated|timeout exceeded when trying to connect|not queryable|connection error|Cannot use a pool after/i;

const uniqueCodes = new Set(["23505", "SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"]);
const lockCodes = new Set(["55P03"]);
const waitCodes = new Set(["55P03", "57014"]);

/**
 * What a single row can be refused for. PostgreSQL: a value that is none (22), a broken constraint (23), something too large
 * for an index (54000). SQLite: the same.
 */
const rowFaults = /^(22|23|54000|SQLITE_(CONSTRAINT|TOOBIG|MISMATCH))/;

function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : "";
}

function isFault(error: unknown): boolean {
  const code = codeOf(error);
  if (sqliteFaults.test(code) || networkFaults.has(code)) return true;
  if (code !== "" && postgresFaults.test(code)) return true;
  return error instanceof Error && connectionLost.test(error.message);
}

/** The error to throw on: `Unavailable` around a fault of the database, anything else as it is. */
export function toUnavailable(error: unknown): unknown {
  // These say more than what the driver said.
  if (error instanceof Unavailable || error instanceof Refusal) return error;
  if (error instanceof DatabaseError) return error.isUnreachable ? new Unavailable(error, error.message) : error;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (isFault(cause)) return new Unavailable(cause);
  }
  return error;
}

/** The same for what has not ended yet. */
export async function orUnavailable<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    throw toUnavailable(error);
  }
}

/** Whether `error` is a unique index that another row already holds. */
export function isTaken(error: unknown): boolean {
  return hasCode(error, uniqueCodes);
}

/** Whether PostgreSQL gave up waiting for one lock (`lock_timeout`). */
export function isLockTimeout(error: unknown): boolean {
  return hasCode(error, lockCodes);
}

/** Whether PostgreSQL gave up a statement that waited: for one lock, or for several of them. */
export function isWaitGivenUp(error: unknown): boolean {
  return hasCode(error, waitCodes);
}

function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (codes.has(codeOf(cause))) return true;
  }
  return false;
}

/** The database's code where it refuses a row for what stands in it; undefined for a fault of the database, and for everything else. */
export function rowFaultOf(error: unknown): string | undefined {
  if (error instanceof Unavailable) return undefined;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (rowFaults.test(codeOf(cause))) return codeOf(cause);
  }
  return undefined;
}
