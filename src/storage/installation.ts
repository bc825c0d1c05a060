/** The one row that says whose database this is, and when a worker was last alive. */
import type { Clock } from "../kit/clock.ts";
import type { MasterKeys } from "../kit/master-keys.ts";
import type { Database } from "./database.ts";
import { SchemaError } from "./migrate.ts";

const checkText = "crm";
const context = "installation.secret_check";

/** Writes the check row on the first start, and otherwise opens it. Throws for a key that cannot. */
export async function checkMasterKeys(database: Database, masterKeys: MasterKeys, clock: Clock): Promise<void> {
  const read = async () => (await database.rows<{ secret_check: string }>("select secret_check from installation where id = 1"))[0];
  let row = await read();
  if (row === undefined) {
    await database.transaction((transaction) =>
      transaction.rows("insert into installation (id, secret_check, created_at) values (1, ?, ?) on conflict (id) do nothing", [
        masterKeys.seal(checkText, context),
        clock.now(),
      ]),
    );
    row = await read();
  }
  try {
    masterKeys.open(row!.secret_check, context);
  } catch {
    throw new SchemaError("The master key does not open this database's secrets: CRM_SECRET_KEYS or the secret.key file is another one's.");
  }
}

export async function workerSeen(database: Database, at: Date): Promise<void> {
  await database.transaction((transaction) => transaction.rows("update installation set worker_seen_at = ? where id = 1", [at]));
}

export async function readWorkerSeen(database: Database): Promise<Date | null> {
  const [row] = await database.rows<{ worker_seen_at: number | null }>("select worker_seen_at from installation where id = 1");
  return row === undefined || row.worker_seen_at === null ? null : new Date(row.worker_seen_at);
}
