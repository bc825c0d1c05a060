/** Why the database refuses changes, found by making one and taking it back. */
import type { Database } from "../database.ts";
import { tryWrite } from "../installation/write-faults.ts";
import type { Dialect } from "../sql-text.ts";
import type { ServerFault } from "./server-settings.ts";

const remedies: Readonly<Record<Dialect, string>> = {
  sqlite: "free space, or let crm write to the file",
  postgres: "name the primary in CRM_DATABASE_URL, turn default_transaction_read_only off, or grant the privilege",
};

/** Undefined where it accepts them. */
export async function findWriteRefusal({ transaction, dialect }: Database): Promise<ServerFault | undefined> {
  try {
    await tryWrite(transaction);
    return undefined;
  } catch (error) {
    const { cause, message } = error as Error;
    return {
      found: `a change is refused: ${cause instanceof Error ? cause.message : message}`,
      remedy: remedies[dialect],
    };
  }
}
