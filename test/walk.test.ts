/** docs/api.md keeps its word: its walk sets up a location with curl alone, and each answer is as shown. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "./support/free-port.ts";
import { runScript, stepsBetween, toPattern } from "./support/guides.ts";
import { startCrm } from "./support/node-process.ts";

test("a location is set up by curl in an empty folder", async () => {
  const directory = mkdtempSync(join(tmpdir(), "crm-walk-"));
  const port = String(await freePort());
  try {
    await using service = startCrm(["serve"], { directory, environment: { CRM_PORT: port }, timeoutSeconds: 180 });
    await service.match(/^crm listening on/m);
    const steps = stepsBetween("docs/api.md", "walk");
    // One terminal: what a block sets, the next ones use.
    const script = steps.map(({ command }, place) => `${command}\necho; echo "── ${place}"\n`).join("");
    const said = (await runScript({ directory, port }, script.replaceAll(":3000", `:${port}`))).split(/\n── \d+\n/);
    for (const [place, { shows }] of steps.entries())
      if (shows !== "") expect(said[place]!.trim()).toMatch(toPattern(shows.trim()));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}, 180_000);
