/** Changes rows beside the service, such as times that would otherwise have to pass. */
import { entities } from "../../src/entities.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import type { Value } from "../../src/storage/value.ts";
import type { TestedSystem } from "./tested-system.ts";

export async function changeRows({ place }: TestedSystem, text: string, params: readonly Value[]): Promise<void> {
  const database = await openDatabase(place.url, entities);
  try {
    await database.transaction(async ({ rows }) => rows(text, params));
  } finally {
    await database.close();
  }
}
