/** Work on a connection that ends in time, or with the connection. */
import type pg from "pg";

/** Destroys the connection if `work` takes more than `patience` milliseconds, which then fails. */
export async function orCut<Result>(
  client: pg.ClientBase,
  patience: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const { stream } = (client as pg.Client).connection;
  const cutting = setTimeout(() => stream.destroy(), patience);
  try {
    return await work();
  } finally {
    clearTimeout(cutting);
  }
}
