/** Records of a schema that entities no longer describe: inserted by their columns, for tests of migrations. */
import { insertRows } from "../../src/storage/inserting/insert.ts";
import type { Transaction } from "../../src/storage/database.ts";
import type { Value } from "../../src/storage/value.ts";

/** Inserts a workspace and a location; `insert` adds further records, and resolves to the id. */
export async function givenEarlyLocation(transaction: Transaction) {
  const created_at = new Date();
  const made = { created_at, updated_at: created_at };
  const insert = async (table: string, record: Record<string, Value>): Promise<number> =>
    (await insertRows(transaction, { table, columns: Object.keys(record) }, [record]))[0]!;
  const workspace_id = await insert("workspaces", { name: "Acme", created_at });
  const place = { workspace_id, name: "North", country: "US", timezone: "UTC", ...made };
  const location_id = await insert("locations", place);
  return { insert, made, workspace_id, location_id };
}
