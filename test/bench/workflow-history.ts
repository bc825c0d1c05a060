/** Reading a run with its last 200 steps, among few runs and among as many as ten million steps. */
import { createConsola } from "consola/core";
import { loadSettings } from "../../config/settings.loading.ts";
import { openService } from "../../src/service.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import type { Setting } from "./against-raw.ts";
import { connectTo } from "./connection.ts";
import { fill } from "./filled.ts";
import type { Filled } from "./filled.ts";
import { compareRates } from "./interleave.ts";
import { publishWorkflow } from "./published-workflow.ts";
import { get } from "./requests.ts";
import { numbers, timeOn } from "./seed-sql.ts";
import { secretKeys, startService } from "./servers.ts";

const { steps } = limits.workflowRun;
const contacts = 1000;
/** Different runs that are requested. */
const variety = 1000;

export async function measureHistory({ ground, load, plan, tell }: Setting): Promise<void> {
  const sizes = plan.steps.map((count) => count / steps);
  const sides: { readonly port: number; readonly requests: readonly string[] }[] = [];
  const options = { directory: ground.folder, worker: true };
  await using services = new AsyncDisposableStack();
  for (const [place, runs] of sizes.entries()) {
    const filled = await fill(ground, `history${place}`, { contacts, locations: 1 });
    await seedRuns(filled, runs, ground.folder);
    const { port } = services.use(await startService(filled.url, options));
    const ids = Array.from({ length: Math.min(variety, runs) }, (_, number) => 1 + ((number * 7919) % runs));
    sides.push({
      port,
      requests: ids.map((id) => get(filled, `/api/v1/workflow-runs/${id}?location_id=${filled.firstLocation}`)),
    });
  }
  const [few, many] = plan.steps.map((count) => count.toLocaleString("en"));
  tell({
    what: `get one run of a workflow with its last ${steps} steps: ${few} → ${many} steps`,
    target: { most: 1.3 },
    kind: ground.kind,
    value: await compareRates(load, plan, 200, sides[0]!, sides[1]!),
  });
}

/** So many runs that have ended, each with a full history. */
async function seedRuns(filled: Filled, runs: number, directory: string): Promise<void> {
  const environment = { CRM_DATABASE_URL: filled.url, CRM_DATA_DIR: directory, CRM_SECRET_KEYS: secretKeys };
  const settings = loadSettings({ environment, directory });
  const service = await openService(settings, { log: createConsola({ level: 0 }), migrate: true });
  const { id, version } = await publishWorkflow(service, filled, { entry: "a", nodes: { a: { type: "exit" } } });
  await service.close();
  const connection = await connectTo(filled.url, { hurried: true });
  const now = timeOn(connection.dialect)(`${Date.now()}`);
  try {
    await connection.run(`insert into workflow_runs (location_id, workflow_id, version_id, contact_id, status, current_node_id, context,
        ended_reason, step_count, enrolled_at, completed_at)
      ${numbers(runs)}
      select ${filled.firstLocation}, ${id}, ${version}, 1 + n % ${contacts}, 'completed', 'a', '{}', 'exited', ${steps}, ${now}, ${now}
      from numbers`);
    // A million at a time: a recursion is one statement.
    const atOnce = 1_000_000 / steps;
    for (let from = 0; from < runs; from += atOnce) {
      const count = Math.min(atOnce, runs - from);
      await connection.run(`insert into workflow_run_steps (run_id, slot, number, node_id, type, outcome, detail, attempt, at)
        ${numbers(count * steps)}
        select ${from} + 1 + (n - 1) / ${steps}, (n - 1) % ${steps}, (n - 1) % ${steps}, 'node', 'add_note', 'done', '{"next":"other"}', 1, ${now}
        from numbers`);
    }
    await connection.run("analyze");
  } finally {
    await connection.close();
  }
}
