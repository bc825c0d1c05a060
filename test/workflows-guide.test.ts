/** docs/workflows.md keeps its word: its guide is followed as it is written, with a mail server that catches what is sent. */
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { freePort } from "./support/free-port.ts";
import { followTextBackGuide, followWorkflowsGuide } from "./support/guides.ts";
import { repository, startCrm } from "./support/node-process.ts";
import { openSessionDoor } from "./support/session-door.ts";

test("the guides are followed in an empty folder", async () => {
  const directory = mkdtempSync(join(tmpdir(), "crm-guide-"));
  // Everything else that a clone has stays out of reach: what the guide needs it must name.
  for (const name of ["bin", "examples"]) symlinkSync(join(repository, name), join(directory, name));
  const port = String(await freePort());
  try {
    await using service = startCrm(["serve"], { directory, environment: { CRM_PORT: port }, timeoutSeconds: 600 });
    await service.match(/^crm listening on/m);
    await using door = await openSessionDoor(directory);
    const ground = { directory, port, crm: door.crm };
    await followWorkflowsGuide(ground);
    await followTextBackGuide(ground);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}, 600_000);
