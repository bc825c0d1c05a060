/** Tells a fault of the database (down, full, locked: try later) and a broken constraint from a defect of ours. */
import { Unavailable } from "../vocabulary/errors.ts";
import { DatabaseError } from "./open-faults.ts";

/** SQLite: locked, full, unwritable or failing storage. https://sqlite.org/rescode.html */
const sqliteFaults = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|PROTOCOL)/;

/**
 * PostgreSQL: classes 08 (connection), 53 (resources), 57P (shutdown, crash, not yet up), 58 (system), and a wait for
 * a lock, a deadlock or a serialization that was given up. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const postgresFaults = /^(08|53|57P0|58|55P03|40001|40P01|25006)/;

const networkFaults = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "ENOENT"]);

/** What `pg` says without a code when a connection is gone or none was to be had in time. */
const connectionLost =
  /connection terminated|timeout exceeded when trying to connect|not queryable|connection error|Cannot use a pool after/i;

const uniqueCodes = new Set(["23505", "SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"]);

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
  if (error instanceof Unavailable) return error;
  // It says more than what the driver said.
  if (error instanceof DatabaseError) return error.isUnreachable ? new Unavailable(error, error.message) : error;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (isFault(cause)) return new Unavailable(cause);
  }
  return error;
}

/** Whether `error` is a unique index that another row already holds. */
export function isTaken(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (uniqueCodes.has(codeOf(cause))) return true;
  }
  return false;
}

/** Whether PostgreSQL gave up waiting for a lock (`lock_timeout`). */
export function isLockTimeout(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (codeOf(cause) === "55P03") return true;
  }
  return false;
}
