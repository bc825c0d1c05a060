/**
 * Classifies database errors: unavailability (down, full, locked: retry later), constraint violations, and defects of
 * ours.
 */
import { Refusal, Unavailable } from "../vocabulary/errors.ts";
import { DatabaseError } from "./open-faults.ts";

/** SQLite: locked, full, read-only or failing storage. https://sqlite.org/rescode.html */
const sqliteFaults = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|PROTOCOL)/;

/**
 * PostgreSQL: classes 08 (connection), 53 (resources), 57P (shutdown, crash, starting), 58 (system); lock timeouts,
 * deadlocks and serialization failures; statements and connections terminated by an administrator; a read-only server;
 * 28 and 3D000, a new connection that is refused, as after a change of the password.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const postgresFaults = /^(08|28|3D000|53|57014|57P0|58|55P03|40001|40P01|25006|25P03|25P04)/;

const networkFaults = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "ENOENT"]);

/** Messages of `pg` without a code: the connection is lost, or none was available in time. */
const connectionLost =
  /connection terminated|timeout exceeded when trying to connect|not queryable|connection error|Cannot use a pool after/i;

const lockedFile = "the database is unavailable: another process has locked the file; try again when it is done";

const uniqueCodes = new Set(["23505", "SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"]);
const referenceCodes = new Set(["23503"]);
const lockCodes = new Set(["55P03"]);
const waitCodes = new Set(["55P03", "57014"]);

/**
 * Codes that reject a single row. PostgreSQL: an invalid value (22), a constraint (23), a value too large for an index
 * (54000). SQLite: the same.
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

/** Wraps an unavailable database in `Unavailable`; other errors pass unchanged. */
export function toUnavailable(error: unknown): unknown {
  // These errors are more specific than the driver's.
  if (error instanceof Unavailable || error instanceof Refusal) return error;
  if (error instanceof DatabaseError) return error.isUnreachable ? new Unavailable(error, error.message) : error;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (isFault(cause))
      return codeOf(cause).startsWith("SQLITE_BUSY") ? new Unavailable(cause, lockedFile) : new Unavailable(cause);
  }
  return error;
}

/** The same for a promise. */
export async function orUnavailable<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    throw toUnavailable(error);
  }
}

/** Whether `error` is a violation of a unique index. */
export function isTaken(error: unknown): boolean {
  return hasCode(error, uniqueCodes);
}

/** Whether PostgreSQL refused a reference to a row that is not there any more. SQLite has one writer, which finds it gone before. */
export function isReferenceGone(error: unknown): boolean {
  return hasCode(error, referenceCodes);
}

/** Whether PostgreSQL timed out waiting for one lock (`lock_timeout`). */
export function isLockTimeout(error: unknown): boolean {
  return hasCode(error, lockCodes);
}

/** Whether PostgreSQL ended a statement that waited for one or several locks. */
export function isWaitGivenUp(error: unknown): boolean {
  return hasCode(error, waitCodes);
}

function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (codes.has(codeOf(cause))) return true;
  }
  return false;
}

/** The code of a row-level rejection; undefined for an unavailable database and other errors. */
export function rowFaultOf(error: unknown): string | undefined {
  if (error instanceof Unavailable) return undefined;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (rowFaults.test(codeOf(cause))) return codeOf(cause);
  }
  return undefined;
}
