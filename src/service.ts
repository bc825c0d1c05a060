/** The composition root: settings go in, and what the commands, the server and the worker stand on comes out. */
import type { ConsolaInstance } from "consola/core";
import type { Settings } from "../config/settings.ts";
import { entities } from "./entities.ts";
import { createCallAs, createChangeAcross } from "./events/call-as.ts";
import type { CallAs } from "./events/call-as.ts";
import type { Caller, LocationContext, Tools } from "./events/caller.ts";
import { systemClock } from "./kit/time/clock.ts";
import type { Clock } from "./kit/time/clock.ts";
import { createCursors } from "./kit/cursor.ts";
import { createLinks } from "./kit/links.ts";
import { createLetters } from "./mail/letters.ts";
import { createMailer } from "./mail/mailer.ts";
import type { Mailer } from "./mail/mailer.ts";
import { operatorOf, operatorOfService } from "./operation/callers.ts";
import type { OperationDeps } from "./operation/carry-out.ts";
import type { Operation } from "./operation/operation.ts";
import type { Outside } from "./outbound/outside.ts";
import { openOutside } from "./outbound/outside.ts";
import { openStripe } from "./outbound/stripe.ts";
import type { StripeConnection } from "./outbound/stripe.ts";
import { whoElseCanLook } from "./storage/data-folder.ts";
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
import type { SchemaState } from "./storage/migrations/migrate.ts";
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
  /** What operations need of this process. */
  readonly deps: OperationDeps;
  /** Carries out an operation that is called by name; resolves to its result. */
  carryOut<Where extends LocationContext | null, Asking, Body>(
    operation: Operation<Where, Asking, Body>,
    caller: Caller<Where>,
    asking: Asking,
  ): Promise<Body>;
  /** Sends the service's own letters; null where none is set up. */
  readonly mailer: Mailer | null;
  /** The payment processor of platform billing; null where none is set up. */
  readonly stripe: StripeConnection | null;
  readonly worker: Worker;
  /** Where the schema stands, for the migrations that the program carried when this was opened. */
  schemaState(): Promise<SchemaState>;
  /** The operator outside of every workspace. */
  readonly operator: Caller<null>;
  /** Whoever runs the terminal: the operator, who may do what an owner may. */
  inWorkspace(workspaceId: number): Caller<null>;
  /** The same in one location. Refuses `location.not_found` for one that is not of the workspace. */
  inLocation(workspaceId: number, locationId: number): Promise<Caller<LocationContext>>;
  close(): Promise<void>;
}

interface ServiceOptions {
  readonly log: ConsolaInstance;
  readonly clock?: Clock;
  /** Brings the schema up to date first; without it a schema that is behind is refused with a sentence that says what to run. */
  readonly migrate?: boolean;
  /** Makes what is missing: the database where it is migrated too, and the master key. Whoever migrates does, unless told not to. */
  readonly setsUp?: boolean;
  /** Hears of each migration when all of them are on disk: its name, and how long it took in milliseconds. */
  readonly migrated?: (name: string, milliseconds: number) => void;
  /** Where the server listens; links lead there unless CRM_BASE_URL says otherwise. */
  readonly url?: string;
}

/** Opens the database and everything above it but the network. Throws one clear sentence for whatever is in the way. */
export async function openService(
  settings: Settings,
  { log, clock = systemClock, migrate = false, setsUp = migrate, migrated, url }: ServiceOptions,
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
      links: createLinks(settings.baseUrl ?? url ?? `http://${settings.host}:${settings.port}`),
      platformBilling: settings.stripeSecretKey === null ? null : { graceDays: settings.billingGraceDays },
    };
    for (const sentence of whoElseCanLook(settings.dataDir)) log.warn(sentence);

    const outside = openOutside(settings);
    const mailer = createMailer(settings, clock);
    const stripe = openStripe(settings);
    const deps: OperationDeps = {
      network: { ...outside, stripe, mail: createLetters({ mailer, log }) },
      audit: (entry) => log.debug("changed", entry),
      report: (error) => log.error("a row was refused", { error }),
    };
    const callAs = createCallAs({ database, tools, committed });
    const worker = createWorker({
      loadDuties: async () =>
        (await import("./duties.ts")).createDuties({
          database,
          callAs,
          changeAcross: createChangeAcross({ database, tools, committed }),
          tools,
          clock,
          vault: masterKeys,
          outside,
          mailer,
          stripe,
          settings,
          log,
        }),
      clock,
      scan: settings.workerCron,
      watch: (committed) => database.watchCommits(committed),
      report: (error, duty) => log.error("a duty of the worker failed", { duty, error }),
    });
    function committed(): void {
      database.announceCommit();
      worker.wake();
    }

    return {
      settings,
      clock,
      log,
      database,
      tools,
      callAs,
      outside,
      deps,
      carryOut: async (operation, caller, asking) =>
        (await import("./operation/carry-out.ts")).carryOut(operation, caller, asking, deps),
      mailer,
      stripe,
      worker,
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

/** The schema alone, for whoever brings it up or down; the rest of the service need not stand on it yet. `create` makes an SQLite file that is missing. */
export async function openSchema(settings: Settings, { create }: { create: boolean }) {
  const database = await openDatabase(settings.databaseUrl, entities, { create });
  return {
    state: () => schemaState(database),
    up: (options: { to?: string | undefined; dryRun?: boolean }) => migrateUp(database, options),
    down: (options: { to?: string | undefined; dryRun?: boolean }) => migrateDown(database, options),
    close: () => database.close(),
  };
}
