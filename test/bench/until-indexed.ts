/** Waits for the text indexes of a filled database. */
import { setTimeout as sleep } from "node:timers/promises";
import { connectTo } from "./connection.ts";

/** Resolves when the worker of the service has built the text indexes. */
export async function untilIndexed(url: string): Promise<void> {
  const connection = await connectTo(url);
  const unfinished = async () =>
    (await connection.rows("select 1 from text_indexes where built_to is not null")).length > 0;
  try {
    while (await unfinished()) await sleep(500);
  } finally {
    await connection.close();
  }
}
