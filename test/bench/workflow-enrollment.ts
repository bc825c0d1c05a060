/** How fast `crm workflows enroll --filter` is, in how much memory, and what the clients of a service notice of it. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createConsola } from "consola/core";
import { loadSettings } from "../../config/settings.loading.ts";
import { openService } from "../../src/service.ts";
import { startNode } from "../support/node-process.ts";
import type { Setting } from "./against-raw.ts";
import { fill } from "./filled.ts";
import type { Filled } from "./filled.ts";
import { readEvery } from "./neighbours.ts";
import { probed } from "./probed-memory.ts";
import { publishWorkflow } from "./published-workflow.ts";
import { secretKeys, startService } from "./servers.ts";

const executable = join(import.meta.dirname, "../../bin/crm.js");

/** Every contact matches. */
const filter = JSON.stringify([{ field: "created_at", op: "gt", value: "2001-01-01T00:00:00Z" }]);

export async function measureEnrollment({ ground, plan, tell }: Setting): Promise<void> {
  const { kind } = ground;
  const filled = await fill(ground, "enrollment", { contacts: plan.contacts, locations: 1 });
  const environment = { CRM_DATABASE_URL: filled.url, CRM_DATA_DIR: ground.folder, CRM_SECRET_KEYS: secretKeys };
  const workflows = await publishTwo(filled, environment, ground.folder);
  const many = plan.contacts.toLocaleString("en");

  async function enroll(workflow: number): Promise<{ readonly seconds: number; readonly peak: number }> {
    const begun = performance.now();
    const parameters = [
      "workflows",
      "enroll",
      `${workflow}`,
      "--location",
      `${filled.firstLocation}`,
      "--filter",
      filter,
    ];
    const { code, stdout, stderr } = await startNode([...probed, executable, ...parameters, "--json"], {
      environment,
      directory: ground.folder,
      timeoutSeconds: 3600,
    }).finished;
    // The seed adds some that answer rare filters.
    if (code !== 0 || JSON.parse(stdout).enrolled < plan.contacts) throw new Error(`enroll failed: ${stdout}${stderr}`);
    return { seconds: (performance.now() - begun) / 1000, peak: Number(/^peak (.+)$/m.exec(stderr)![1]) };
  }

  const alone = await enroll(workflows[0]);
  tell({
    what: `contacts enrolled by a filter a second, ${many}, the start of the command included`,
    target: kind === "sqlite" ? { least: 5000 } : null,
    kind,
    value: plan.contacts / alone.seconds,
  });
  tell({
    what: `peak memory of \`crm workflows enroll --filter\`, ${many} contacts`,
    target: { most: 250, unit: " MiB" },
    kind,
    value: alone.peak,
  });
  await using service = await startService(filled.url, { directory: ground.folder, worker: true });
  // What is read is compiled by then.
  await readEvery(service.port, filled, sleep(500));
  const taken = await readEvery(service.port, filled, enroll(workflows[1]));
  tell({
    what: `a small read while ${many} contacts are enrolled by a filter and their runs move, p99`,
    target: { most: 50, unit: " ms" },
    kind,
    value: taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.99)]!,
  });
}

/** Their runs wait. */
async function publishTwo(
  filled: Filled,
  environment: Readonly<Record<string, string>>,
  directory: string,
): Promise<readonly [number, number]> {
  const settings = loadSettings({ environment, directory });
  const service = await openService(settings, { log: createConsola({ level: 0 }), migrate: true });
  try {
    const resting = { entry: "a", nodes: { a: { type: "wait", until: "2100-01-01T00:00:00Z" } } };
    const first = await publishWorkflow(service, filled, resting);
    return [first.id, (await publishWorkflow(service, filled, resting)).id];
  } finally {
    await service.close();
  }
}
