/** How long a statement of a change may wait for another change. */
import type { Rows } from "./rows.ts";

/** PostgreSQL gives up after `seconds` (see isLockTimeout). On SQLite changes never wait once they have begun. */
export async function limitLockWait(change: Rows, seconds: number): Promise<void> {
  if (change.dialect === "postgres") {
    await change.rows("select set_config('lock_timeout', ?, true)", [`${seconds}s`]);
  }
}
