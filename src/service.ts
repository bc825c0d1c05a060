/** The composition root: builds what commands, server and worker use from the settings. */
import type { ConsolaInstance } from "consola/core";
import type { Settings } from "../config/settings.ts";
import { readNewestBackup } from "./backup/backup-record.ts";
import type { Blobs } from "./blobs/blobs.ts";
import { openBlobs } from "./blobs/open-blobs.ts";
import { entities } from "./entities.ts";
import { createCallAs, createChangeAcross } from "./events/call-as.ts";
import type { CallAs } from "./events/call-as.ts";
import type { Caller, LocationContext, Tools } from "./events/caller.ts";
import { toListeningUrl } from "./http/connection/listening-url.ts";
import { systemClock } from "./kit/time/clock.ts";
import type { Clock } from "./kit/time/clock.ts";
import { createWorkCounts } from "./kit/observing/work-counts.ts";
import type { WorkCounts } from "./kit/observing/work-counts.ts";
import { createCursors } from "./kit/cursor.ts";
import { createLinks } from "./kit/links.ts";
import { createSignedIds } from "./kit/secrets/signed-id.ts";
import { createLetters } from "./mail/letters.ts";
import { createMailer } from "./mail/mailer.ts";
import { createMailParser } from "./mail/parsing/mail-parser.ts";
import type { Mailer } from "./mail/mailer.ts";
import { operatorOf, operatorOfService } from "./operation/callers.ts";
import type { OperationDeps } from "./operation/carry-out.ts";
import type { Operation } from "./operation/operation.ts";
import type { Outside } from "./outbound/outside.ts";
import { openOutside } from "./outbound/outside.ts";
import { openStripe } from "./outbound/stripe.ts";
import type { StripeConnection } from "./outbound/stripe.ts";
import { permissionWarnings } from "./storage/data-folder.ts";
import type { Database } from "./storage/database.ts";
import { openMasterKeys } from "./storage/installation/installation.ts";
import {
  carriedMigrations,
  compareSchema,
  migrateDown,
  migrateUp,
  requireCurrentSchema,
  schemaState,
} from "./storage/migrations/migrate.ts";
import { estimateUpgrade } from "./storage/migrations/upgrade-estimate.ts";
import type { SchemaChange, SchemaState } from "./storage/migrations/migrate.ts";
import { openDatabase } from "./storage/open-database.ts";
import { findVisibleLocation } from "./tenancy/locations/location.queries.ts";
import { Refusal } from "./vocabulary/errors.ts";
import { createWorker } from "./worker.ts";
import type { Worker } from "./worker.ts";

export interface Service {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: ConsolaInstance;
  readonly database: Database;
  readonly tools: Tools;
  readonly callAs: CallAs;
  readonly outside: Outside;
  /** Where attachments are stored. */
  readonly blobs: Blobs;
  /** Dependencies of operations. */
  readonly deps: OperationDeps;
  /** Runs an operation; resolves to its result. */
  carryOut<Where extends LocationContext | null, Asking, Body>(
    operation: Operation<Where, Asking, Body>,
    caller: Caller<Where>,
    asking: Asking,
  ): Promise<Body>;
  /** Sends the service's own mails; null without a mail server. */
  readonly mailer: Mailer | null;
  /** The payment processor of platform billing; null where none is set up. */
  readonly stripe: StripeConnection | null;
  readonly worker: Worker;
  /** The work of this process, for /metrics. */
  readonly counts: WorkCounts;
  /** The state of the schema, against the migrations of this program when it was opened. */
  schemaState(): Promise<SchemaState>;
  /** The operator, outside of any workspace. */
  readonly operator: Caller<null>;
  /** The operator in a workspace, with the permissions of an owner. */
  inWorkspace(workspaceId: number): Caller<null>;
  /** The operator in a location. Refuses `location.not_found` for one of another workspace. */
  inLocation(workspaceId: number, locationId: number): Promise<Caller<LocationContext>>;
  close(): Promise<void>;
}

interface ServiceOptions {
  readonly log: ConsolaInstance;
  readonly clock?: Clock;
  /** Applies pending migrations; without it an outdated schema is refused with the command to run. */
  readonly migrate?: boolean;
  /** Creates what is missing: the database if migrating, and the master key. The default when migrating. */
  readonly setsUp?: boolean;
  /** Called after the commit of pending migrations, if there were any. */
  readonly migrated?: (change: SchemaChange) => void;
  /** The version of crm, which backups name. */
  readonly version?: string;
  /** The URL of the server, used in links unless CRM_BASE_URL is set. */
  readonly url?: string;
}

/** Opens the database and everything but the network. Throws one sentence for any failure. */
export async function openService(
  settings: Settings,
  { log, clock = systemClock, migrate = false, setsUp = migrate, migrated, version = "0.0.0", url }: ServiceOptions,
): Promise<Service> {
  const database = await openDatabase(settings.databaseUrl, entities, { create: migrate && setsUp });
  try {
    if (migrate) await migrateUp(database, { done: migrated });
    else await requireCurrentSchema(database);
    const migrations = carriedMigrations(database);
    const masterKeys = await openMasterKeys(database, settings, { clock, setsUp });

    const tools: Tools = {
      clock,
      cursors: createCursors(masterKeys.deriveAll("cursors")),
      vault: masterKeys,
      signedIds: createSignedIds(masterKeys.deriveAll("signed ids")),
      links: createLinks(settings.baseUrl ?? url ?? toListeningUrl(settings)),
      platformBilling: settings.stripeSecretKey === null ? null : { graceDays: settings.billingGraceDays },
      requestLimit: settings.rateLimit,
    };
    for (const sentence of permissionWarnings(settings.dataDir)) log.warn(sentence);

    const outside = openOutside(settings);
    const blobs = openBlobs(settings);
    const mailer = createMailer(settings, clock);
    const stripe = openStripe(settings);
    const deps: OperationDeps = {
      network: { ...outside, stripe, blobs, mail: createLetters({ mailer, log }), mails: createMailParser() },
      report: (error) => log.error("a row was refused", { error }),
    };
    const counts = createWorkCounts();
    const callAs = createCallAs({ database, tools, committed: () => worker.changed() });
    const worker = createWorker({
      loadDuties: async () =>
        (await import("./duties.ts")).createDuties({
          database,
          // What they change themselves is nothing to give way to.
          callAs: createCallAs({ database, tools }),
          changeAcross: createChangeAcross({ database, tools }),
          tools,
          clock,
          vault: masterKeys,
          outside,
          blobs,
          mailer,
          stripe,
          settings,
          counts,
          log,
          version,
        }),
      clock,
      scan: settings.workerCron,
      watch: (committed) => database.watchCommits(committed),
      report: (error, duty) => log.error("a duty of the worker failed", { duty, error }),
    });

    return {
      settings,
      clock,
      log,
      database,
      tools,
      callAs,
      outside,
      blobs,
      deps,
      carryOut: async (operation, caller, asking) =>
        (await import("./operation/carry-out.ts")).carryOut(operation, caller, asking, deps),
      mailer,
      stripe,
      worker,
      counts,
      schemaState: () => compareSchema(database.reserve, migrations),
      operator: callAs(operatorOfService),
      inWorkspace: (workspaceId) => callAs(operatorOf(workspaceId)),
      async inLocation(workspaceId, locationId) {
        const location = await findVisibleLocation(database, workspaceId, null, locationId);
        if (location === undefined) throw new Refusal("location.not_found");
        return callAs({ ...operatorOf(workspaceId), location });
      },
      async close() {
        await mailer?.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens only the schema, for migrations. `create` creates a missing SQLite file. */
export async function openSchema(settings: Settings, { create }: { create: boolean }) {
  const database = await openDatabase(settings.databaseUrl, entities, { create });
  return {
    state: () => schemaState(database),
    up: (options: { to?: string | undefined; dryRun?: boolean }) => migrateUp(database, options),
    down: (options: { to?: string | undefined; dryRun?: boolean }) => migrateDown(database, options),
    /** What `up` would do, and for how long. */
    estimate: () => estimateUpgrade(database),
    /** Null if no backup is known. */
    newestBackupAt: async () => (await readNewestBackup(database)).takenAt,
    close: () => database.close(),
  };
}

/** Opens only the database, for backups and `crm doctor`. `create` creates a missing SQLite file. */
export function openBareDatabase(
  { databaseUrl }: Pick<Settings, "databaseUrl">,
  options: { create: boolean },
): Promise<Database> {
  return openDatabase(databaseUrl, entities, options);
}
