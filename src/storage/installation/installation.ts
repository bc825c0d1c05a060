/** The installation's row: checks the master key and keeps the last heartbeat. */
import type { Clock } from "../../kit/time/clock.ts";
import { createMasterKeys } from "../../kit/secrets/master-keys.ts";
import type { MasterKeys } from "../../kit/secrets/master-keys.ts";
import type { Database } from "../database.ts";
import { forUpdate } from "../locks.ts";
import type { Rows, Writer } from "../rows.ts";
import { sql } from "../sql-text.ts";
import { loadMasterKeys, MasterKeyError } from "./master-key-file.ts";

export const secretCheckContext = "installation.secret_check";
const plain = "crm";

/** A database that is not set up, opened by a command that does not set it up. */
class NotSetUp extends Error {
  constructor() {
    super('This database is not set up: run "crm setup" (or "crm serve") first.');
  }
}

/**
 * The master keys of this installation, checked against its database. On a database that is not set up, `setsUp`
 * creates them and writes the check row, once among concurrent starts; otherwise it is refused. A database with a key
 * never gets a new one.
 */
export async function openMasterKeys(
  database: Database,
  settings: Parameters<typeof loadMasterKeys>[0],
  { clock, setsUp }: { clock: Clock; setsUp: boolean },
): Promise<MasterKeys> {
  async function open(make: boolean): Promise<MasterKeys> {
    const masterKeys = createMasterKeys(await loadMasterKeys(settings, { make }));
    await checkMasterKeys(database, masterKeys, clock);
    return masterKeys;
  }
  const isInstalled = async () => (await readCheck(database)).length > 0;
  if (await isInstalled()) return open(false);
  if (!setsUp) throw new NotSetUp();
  return database.exclusively("setup", async () => open(!(await isInstalled())));
}

/**
 * Writes the check row on the first start, and decrypts it afterwards. Throws a MasterKeyError if no key fits: secrets
 * encrypted under another key would otherwise fail one by one, much later.
 */
export async function checkMasterKeys(database: Database, masterKeys: MasterKeys, clock: Clock): Promise<void> {
  const [row] = await readCheck(database);
  if (row === undefined) {
    await database.transaction(({ rows }) =>
      // Of two concurrent starts the first writes; both then decrypt the row.
      rows("insert into installation (id, secret_check, created_at) values (1, ?, ?) on conflict (id) do nothing", [
        masterKeys.seal(plain, secretCheckContext),
        clock.now(),
      ]),
    );
  }
  const [written] = row === undefined ? await readCheck(database) : [row];
  if (written === undefined) throw new Error("the row of the installation was not written");
  try {
    masterKeys.open(written.secret_check, secretCheckContext);
  } catch (error) {
    throw new MasterKeyError(
      "The master key is not the one this database was set up with: set it in CRM_SECRET_KEYS, or restore secret.key in the data folder.",
      { cause: error },
    );
  }
}

/** Whether `masterKeys` are those under which a check row was written. */
export function fitsCheck(masterKeys: MasterKeys, secretCheck: string): boolean {
  try {
    return masterKeys.open(secretCheck, secretCheckContext) === plain;
  } catch {
    return false;
  }
}

/** The check row of a database; undefined before its set-up. */
export async function readSecretCheck(database: Database): Promise<string | undefined> {
  const [row] = await readCheck(database);
  return row?.secret_check;
}

function readCheck(database: Database): Promise<{ secret_check: string }[]> {
  return database.rows<{ secret_check: string }>("select secret_check from installation where id = 1");
}

const holdText = sql`select id from installation where id = 1${forUpdate("installation")}`;

/** Locks the installation until the commit: of several setups that start together, each sees what the one before it made. */
export async function keepInstallation(change: Writer): Promise<void> {
  await change.rows(holdText);
}

/** Records a heartbeat at `at`. */
export async function workerSeen(database: Database, at: Date): Promise<void> {
  await database.transaction(({ rows }) => rows("update installation set worker_seen_at = ? where id = 1", [at]));
}

/** The last heartbeat of any worker; null before the first. */
export async function readWorkerSeen(database: Rows): Promise<Date | null> {
  const [row] = await database.rows<{ worker_seen_at: number | null }>(
    "select worker_seen_at from installation where id = 1",
  );
  return typeof row?.worker_seen_at === "number" ? new Date(row.worker_seen_at) : null;
}
