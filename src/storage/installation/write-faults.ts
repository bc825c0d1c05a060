/**
 * Tracks whether the database refuses writes, by the last failed transaction and a probe write; an idle database is not
 * written to.
 */
import type { Database, WriteFault } from "../database.ts";

/** SQLite, and PostgreSQL: 53100 disk_full, 58030 io_error, 25006 read_only_sql_transaction. */
const codes: readonly (readonly [RegExp, WriteFault])[] = [
  [/^(SQLITE_FULL|53100)/, "disk_full"],
  [/^(SQLITE_(READONLY|IOERR|CANTOPEN)|58030|25006)/, "refused"],
];

/** In milliseconds: `/readyz` needs no key, so probe writes are rate-limited. */
const betweenProbes = 1000;

/** In bytes: a disk with less free space may accept a small write and refuse the next. */
const leastRoom = 2 ** 20;

/** A probe write without effect: SQLite writes no page for an unchanged row, so the row is changed and changed back. */
const changeText = "update installation set secret_check = secret_check || '.' where id = 1";
const restoreText =
  "update installation set secret_check = substr(secret_check, 1, length(secret_check) - 1) where id = 1";

export interface WatchedWrites extends Pick<Database, "writeFault"> {
  /** The same transactions, whose failures are noted. */
  watch(begin: Database["transaction"]): Database["transaction"];
}

/** Throws what keeps the database from being written to. */
export async function tryWrite(transaction: Database["transaction"]): Promise<void> {
  await transaction(async ({ rows }) => {
    await rows(changeText);
    await rows(restoreText);
  });
}

/** `transaction`: for probes. `room`: free bytes at the database, if known. */
export function watchWrites(
  transaction: Database["transaction"],
  room: () => Promise<number> = async () => Number.POSITIVE_INFINITY,
): WatchedWrites {
  let fault: WriteFault | null = null;
  let probed = Number.NEGATIVE_INFINITY;
  let probing: Promise<void> | undefined;

  async function probe(): Promise<void> {
    try {
      if ((await room()) < leastRoom) return;
      await tryWrite(transaction);
      fault = null;
    } catch (error) {
      fault = writeFaultOf(error) ?? fault;
    } finally {
      probed = performance.now();
      probing = undefined;
    }
  }

  function watch(begin: Database["transaction"]): Database["transaction"] {
    return async (work, ids, size) => {
      try {
        return await begin(work, ids, size);
      } catch (error) {
        fault = writeFaultOf(error) ?? fault;
        throw error;
      }
    };
  }

  return {
    watch,
    async writeFault() {
      if (fault !== null && performance.now() - probed >= betweenProbes) await (probing ??= probe());
      return fault;
    },
  };
}

/** Classifies `error` or its cause by code; undefined for other errors. */
function writeFaultOf(error: unknown): WriteFault | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const code = "code" in cause ? String(cause.code) : "";
    const found = codes.find(([pattern]) => pattern.test(code));
    if (found !== undefined) return found[1];
  }
  return undefined;
}
