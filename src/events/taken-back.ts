/** Does something for what it would come to, and takes it back. */
import type { Rows } from "../storage/rows.ts";

/** Runs `work` in the transaction that `open` opens, and takes that back. Throws what the work throws, and what fails of what it only sent. */
export async function takenBack<Opened extends Pick<Rows, "rows">>(
  open: (work: (opened: Opened) => Promise<void>) => Promise<unknown>,
  work: (opened: Opened) => Promise<unknown>,
): Promise<void> {
  const done = new Error("taken back");
  try {
    await open(async (opened) => {
      await work(opened);
      // What nobody waited for is done by then, or refused.
      await opened.rows("select 1");
      throw done;
    });
  } catch (error) {
    if (error !== done) throw error;
  }
}
