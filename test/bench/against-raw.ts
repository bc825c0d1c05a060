/** The service against the raw limit, on the same rows in two databases that are copies of each other. */
import { cases } from "./cases.ts";
import type { Case } from "./cases.ts";
import { fill } from "./filled.ts";
import type { Filled } from "./filled.ts";
import type { Finding } from "./findings.ts";
import type { Ground } from "./ground.ts";
import { compareRates } from "./interleave.ts";
import type { Load } from "./load-process.ts";
import type { Plan } from "./plan.ts";
import { requireSameAnswers } from "./same-answers.ts";
import { startRaw, startService } from "./servers.ts";
import type { Server } from "./servers.ts";

export interface Setting {
  readonly ground: Ground;
  readonly load: Load;
  readonly plan: Plan;
  readonly tell: (finding: Finding) => void;
  /** Where profiles of the service are written; undefined: none. */
  readonly profiles: string | undefined;
}

/** The worker is apart, since the raw limit has none; what it costs beside `create` is measured at the end. */
export async function measureAgainstRaw(setting: Setting, chosen: readonly Case[]): Promise<void> {
  const { ground, tell, plan } = setting;
  const filled = await fill(ground, "service", plan);
  const rawUrl = await ground.copy("service", "raw");
  await using raw = await startRaw(rawUrl, { directory: ground.folder });
  {
    await using service = await startService(filled.url, {
      directory: ground.folder,
      worker: false,
      nodeOptions: setting.profiles === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${setting.profiles}`],
    });
    // All of them before anything is timed: as long as both have written the same, ids agree as well.
    for (const measured of chosen) {
      const requests = await measured.requests(filled, service.port);
      const sides = [
        { port: service.port, url: filled.url },
        { port: raw.port, url: rawUrl },
      ] as const;
      await requireSameAnswers(measured, requests, ...sides);
    }
    for (const measured of chosen) {
      const value = await compare(setting, measured, filled, service, raw);
      tell({ what: measured.title, target: measured.target, kind: ground.kind, value });
    }
    const memory = await service.memory();
    const target = { most: 250, unit: " MiB" };
    if (chosen.length === cases.length)
      tell({ what: "memory of `crm serve` after all that", target, kind: ground.kind, value: memory });
  }
  const create = chosen.find(({ name }) => name === "create");
  if (create === undefined) return;
  await using service = await startService(filled.url, { directory: ground.folder, worker: true });
  const value = await compare(setting, create, filled, service, raw);
  tell({
    what: `${create.title}, while the worker inside gives events their places`,
    target: null,
    kind: ground.kind,
    value,
  });
}

async function compare({ load, plan }: Setting, measured: Case, filled: Filled, service: Server, raw: Server) {
  const requests = await measured.requests(filled, service.port);
  const [first, second] = [service, raw].map(({ port }) => ({ port, requests }));
  return compareRates(load, plan, measured.status, first!, second!);
}
