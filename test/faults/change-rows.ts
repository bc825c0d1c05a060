/** Changes rows beside the service, such as times that would otherwise have to pass. */
import { entities } from "../../src/entities.ts";
import type { Transaction } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import type { Value } from "../../src/storage/value.ts";
import type { TestedSystem } from "./tested-system.ts";

export async function changeRows(system: TestedSystem, text: string, params: readonly Value[]): Promise<void> {
  await inTransaction(system, ({ rows }) => rows(text, params));
}

/** Runs `work` through a connection of the test's own. */
export async function inTransaction<Result>(
  { place }: TestedSystem,
  work: (change: Transaction) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(place.url, entities);
  try {
    return await database.transaction(work);
  } finally {
    await database.close();
  }
}
