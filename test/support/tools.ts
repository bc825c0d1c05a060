/** What work needs beside rows, with keys of a test's own. */
import { loadSettings } from "../../config/settings.loading.ts";
import type { createDuties } from "../../src/duties.ts";
import { createChangeAcross } from "../../src/events/call-as.ts";
import type { Tools } from "../../src/events/caller.ts";
import type { Clock } from "../../src/kit/time/clock.ts";
import { createWorkCounts } from "../../src/kit/observing/work-counts.ts";
import { createCursors } from "../../src/kit/cursor.ts";
import { createLinks } from "../../src/kit/links.ts";
import { openBlobs } from "../../src/blobs/open-blobs.ts";
import { createMasterKeys, mintMasterKey } from "../../src/kit/secrets/master-keys.ts";
import { createSignedIds } from "../../src/kit/secrets/signed-id.ts";
import { openOutside } from "../../src/outbound/outside.ts";
import type { Database } from "../../src/storage/database.ts";

export function toolsOf(clock: Clock): Tools {
  const vault = createMasterKeys([mintMasterKey()]);
  return {
    clock,
    vault,
    cursors: createCursors(vault.deriveAll("cursors")),
    links: createLinks("http://localhost"),
    signedIds: createSignedIds(vault.deriveAll("signed ids")),
    platformBilling: null,
    requestLimit: null,
  };
}

/** What the duties of the service are made with, its settings as they are by default. */
export function groundOf(database: Database, clock: Clock): Omit<Parameters<typeof createDuties>[0], "callAs"> {
  const settings = loadSettings({ environment: { CRM_LOG_LEVEL: "silent" } });
  const silent = (): void => {};
  const log = { info: silent, warn: silent, error: silent };
  const tools = toolsOf(clock);
  const changeAcross = createChangeAcross({ database, tools });
  return {
    database,
    changeAcross,
    tools,
    clock,
    settings,
    vault: tools.vault,
    outside: openOutside(settings),
    blobs: openBlobs(settings),
    mailer: null,
    stripe: null,
    counts: createWorkCounts(),
    version: "0.0.0",
    log,
  };
}
