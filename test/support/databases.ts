/** A stand-in until the suite's databases exist. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
export const databaseKinds = ["sqlite"] as const;
export type DatabaseKind = "sqlite" | "postgres";
export async function freshDatabase(_kind: DatabaseKind) {
  const directory = mkdtempSync(join(tmpdir(), "crm-test-"));
  return { url: `sqlite:${directory}/crm.db`, directory, drop: async () => rmSync(directory, { recursive: true, force: true }) };
}
