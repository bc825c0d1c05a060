/** Runs a transaction and always rolls it back: for dry runs. */
import type { Rows } from "../storage/rows.ts";

/**
 * Runs `work` in the transaction that `open` opens, and rolls it back. Throws the errors of `work`, including those of statements that it
 * sent without waiting.
 */
export async function withRollback<Opened extends Pick<Rows, "rows">>(
  open: (work: (opened: Opened) => Promise<void>) => Promise<unknown>,
  work: (opened: Opened) => Promise<unknown>,
): Promise<void> {
  const rollback = new Error("rolled back");
  try {
    await open(async (opened) => {
      await work(opened);
      // By the time this resolves, statements sent without waiting have succeeded or failed.
      await opened.rows("select 1");
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
  }
}
