/** Every check of `crm doctor`, in the order in which they run. */
import type { Check, Data, Installation, Machine } from "./check.ts";
import { contradictorySettings } from "./settings/contradictory-settings.ts";
import { publicAddress } from "./settings/public-address.ts";
import { tlsFiles } from "./settings/tls-files.ts";
import { trustedProxies } from "./settings/trusted-proxies.ts";
import { unknownSettings } from "./settings/unknown-settings.ts";
import { dataFolder } from "./machine/data-folder.ts";
import { freeSpace } from "./machine/free-space.ts";
import { networkFileSystem } from "./machine/network-file-system.ts";
import { nodeVersion } from "./machine/node-version.ts";
import { clockDifference } from "./database/clock-difference.ts";
import { connectionLimit } from "./database/connection-limit.ts";
import { damage } from "./database/damage.ts";
import { databaseVersion } from "./database/database-version.ts";
import { durability } from "./database/durability.ts";
import { foreignKeys } from "./database/foreign-keys.ts";
import { indexes } from "./database/indexes.ts";
import { vacuum } from "./database/vacuum.ts";
import { writeAheadLog } from "./database/write-ahead-log.ts";
import { writes } from "./database/writes.ts";
import { contactCounts } from "./records/contact-counts.ts";
import { contactProjections } from "./records/contact-projections.ts";
import { danglingReferences } from "./records/dangling-references.ts";
import { eventPositions } from "./records/event-positions.ts";
import { missingFiles } from "./records/missing-files.ts";
import { sealedSecrets } from "./records/sealed-secrets.ts";
import { unneededKeys } from "./records/unneeded-keys.ts";
import { backupAge } from "./work/backup-age.ts";
import { failingWebhooks } from "./work/failing-webhooks.ts";
import { leases } from "./work/leases.ts";
import { overdueDeliveries, overdueEvents, overdueMessages, overdueRuns } from "./work/overdue-work.ts";
import { workerHeartbeat } from "./work/worker-heartbeat.ts";

/** Without the database. */
export const machineChecks: readonly Check<Machine>[] = [
  unknownSettings,
  contradictorySettings,
  publicAddress,
  trustedProxies,
  tlsFiles,
  dataFolder,
  freeSpace,
  networkFileSystem,
  nodeVersion,
];

/** Of the database program and of the work in progress. */
export const installationChecks: readonly Check<Installation>[] = [
  databaseVersion,
  writes,
  clockDifference,
  vacuum,
  durability,
  writeAheadLog,
  connectionLimit,
  workerHeartbeat,
  overdueEvents,
  overdueDeliveries,
  overdueMessages,
  overdueRuns,
  leases,
  failingWebhooks,
  unneededKeys,
  backupAge,
];

/** Of the data, wherever it is: also of a backup. */
export const dataChecks: readonly Check<Data>[] = [
  damage,
  foreignKeys,
  indexes,
  contactCounts,
  contactProjections,
  eventPositions,
  danglingReferences,
  missingFiles,
  sealedSecrets,
];
