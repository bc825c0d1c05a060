/** Examines an installation: without the database first, then the database, then the data; what cannot be opened is a failure. */
import type { Settings } from "../../config/settings.ts";
import type { Blobs } from "../blobs/blobs.ts";
import { openBlobs } from "../blobs/open-blobs.ts";
import { createMasterKeys } from "../kit/secrets/master-keys.ts";
import type { Clock } from "../kit/time/clock.ts";
import type { Database } from "../storage/database.ts";
import { fitsCheck, readSecretCheck } from "../storage/installation/installation.ts";
import { loadMasterKeys } from "../storage/installation/master-key-file.ts";
import { schemaState } from "../storage/migrations/migrate.ts";
import { dataChecks, installationChecks, machineChecks } from "./checks.ts";
import { failure, ok } from "./check.ts";
import type { Check, Installation, Machine } from "./check.ts";
import { strayFiles } from "./records/stray-files.ts";
import { diagnose } from "./diagnose.ts";
import type { Diagnosis } from "./diagnose.ts";

interface ExamineOptions {
  readonly settings: Settings;
  readonly unknownSettings: readonly string[];
  readonly clock: Clock;
  readonly nodeVersion: string;
  /** Opens the database of the settings; throws one sentence. */
  readonly open: () => Promise<Database>;
  readonly fix: boolean;
  /** With `fix`: removes files of the store that no attachment names. */
  readonly removeFiles: boolean;
}

/** One diagnosis after the other, as they are made. */
export async function* examine({ open, fix, removeFiles, ...machine }: ExamineOptions): AsyncGenerator<Diagnosis> {
  yield* diagnose(machineChecks, machine, { fix });
  let database: Database | undefined;
  try {
    yield* diagnose([opening(async () => (database = await open()))], machine, { fix });
    if (database === undefined) return;
    yield* examineDatabase(machine, database, { fix, removeFiles });
  } finally {
    await database?.close();
  }
}

async function* examineDatabase(
  machine: Machine,
  database: Database,
  { fix, removeFiles }: Pick<ExamineOptions, "fix" | "removeFiles">,
): AsyncGenerator<Diagnosis> {
  let isCurrent = false;
  for await (const diagnosis of diagnose([schema(database)], machine, { fix })) {
    isCurrent = diagnosis.verdict === "ok";
    yield diagnosis;
  }
  // Another schema may lack the columns that the checks read.
  if (!isCurrent) return;
  const { settings } = machine;
  const installation: Installation = { ...machine, database, masterKeys: null, blobs: tryOpenBlobs(settings) };
  let keys: readonly string[] = [];
  yield* diagnose([masterKey(database, settings, (found) => (keys = found))], machine, { fix });
  const subject = {
    ...installation,
    masterKeys: keys.length === 0 ? null : keys.map((key) => createMasterKeys([key])),
  };
  yield* diagnose(installationChecks, subject, { fix });
  yield* diagnose([strayFiles], subject, { fix: fix && removeFiles });
  yield* diagnose(dataChecks, subject, { fix });
}

/** Examines data that is not that of the installation, such as a restored backup. */
export async function examineData(
  database: Database,
  masterKeys: readonly string[] | null,
  clock: Clock,
): Promise<Diagnosis[]> {
  const keys = masterKeys?.map((key) => createMasterKeys([key])) ?? null;
  const diagnoses: Diagnosis[] = [];
  for await (const diagnosis of diagnose(
    dataChecks,
    { database, clock, masterKeys: keys, blobs: null },
    { fix: false },
  ))
    diagnoses.push(diagnosis);
  return diagnoses;
}

/** Null for a bucket without credentials, which is a finding of its own. */
function tryOpenBlobs(settings: Settings): Blobs | null {
  try {
    return openBlobs(settings);
  } catch {
    return null;
  }
}

function opening(open: () => Promise<unknown>): Check<Machine> {
  return {
    name: "database",
    async examine() {
      try {
        await open();
        return ok("it is open");
      } catch (error) {
        return failure((error as Error).message.replace(/\.$/, ""), "mend CRM_DATABASE_URL, or start the database");
      }
    },
  };
}

function schema(database: Database): Check<Machine> {
  return {
    name: "schema",
    async examine() {
      const { pending, unknown, applied } = await schemaState(database);
      if (applied.length === 0) return failure("the database is empty", "crm setup, or crm serve");
      if (unknown.length > 0)
        return failure(`it is newer than this version of crm: ${unknown.join(", ")}`, "install the newer version");
      if (pending.length > 0)
        return failure(`it lacks ${pending.length} migrations of this version`, "crm upgrade-check, then crm migrate");
      return ok(`it is that of this version, with ${applied.length} migrations`);
    },
  };
}

type KeySource = Pick<Settings, "secretKeys" | "dataDir">;

function masterKey(database: Database, settings: KeySource, take: (keys: readonly string[]) => void): Check<Machine> {
  return {
    name: "master key",
    async examine() {
      const check = await readSecretCheck(database);
      if (check === undefined) return failure("the database is not set up", "crm setup, or crm serve");
      const keys = await loadMasterKeys(settings, { make: false });
      take(keys);
      return fitsCheck(createMasterKeys(keys), check)
        ? ok("it is the one of this database")
        : failure("it is not the one of this database", "restore secret.key, or set CRM_SECRET_KEYS");
    },
  };
}
