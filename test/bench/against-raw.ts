/** The service against the raw limit and the bare limit, on the same rows in databases that are copies of each other. */
import { cases } from "./cases.ts";
import type { Case } from "./case.ts";
import { fill } from "./filled.ts";
import type { Filled } from "./filled.ts";
import type { Finding } from "./findings.ts";
import type { Ground } from "./ground.ts";
import { compareWithAll } from "./interleave.ts";
import type { Ratio } from "./interleave.ts";
import type { Load } from "./load-process.ts";
import type { Plan } from "./plan.ts";
import { requireSameAnswers } from "./same-answers.ts";
import { startBare, startRaw, startService } from "./servers.ts";
import type { Server } from "./servers.ts";

export interface Setting {
  readonly ground: Ground;
  readonly load: Load;
  readonly plan: Plan;
  readonly tell: (finding: Finding) => void;
  /** Where profiles of the service are written; undefined: none. */
  readonly profiles: string | undefined;
}

/** The worker is apart, since the limits have none; what it costs beside `create` is measured at the end. */
export async function measureAgainstRaw(setting: Setting, chosen: readonly Case[]): Promise<void> {
  const { ground, tell, plan } = setting;
  const filled = await fill(ground, "service", plan);
  const rawUrl = await ground.copy("service", "raw");
  const bareUrl = await ground.copy("service", "bare");
  await using raw = await startRaw(rawUrl, { directory: ground.folder });
  await using bare = await startBare(bareUrl, { directory: ground.folder });
  {
    await using service = await startService(filled.url, {
      directory: ground.folder,
      worker: false,
      nodeOptions: setting.profiles === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${setting.profiles}`],
    });
    // All of them before anything is timed: as long as all have written the same, ids agree as well.
    for (const measured of chosen) {
      const requests = await measured.requests(filled, service.port);
      await requireSameAnswers(measured, requests, { name: "raw limit", port: raw.port, url: rawUrl }, [
        { name: "bare limit", port: bare.port, url: bareUrl },
        { name: "service", port: service.port, url: filled.url },
      ]);
    }
    for (const measured of chosen) {
      const [ofRaw, ofBare] = await compare(setting, measured, filled, service, [raw, bare]);
      const { title: what, target, targetOn, targetOfBare = null } = measured;
      tell({ what, target: targetOn?.[ground.kind] ?? target, kind: ground.kind, value: ofRaw! });
      tell({ what, target: targetOfBare, kind: ground.kind, value: ofBare!, ofBare: true });
    }
    const memory = await service.memory();
    const target = { most: 250, unit: " MiB" };
    if (chosen.length === cases.length)
      tell({ what: "memory of `crm serve` after all that", target, kind: ground.kind, value: memory });
  }
  const create = chosen.find(({ name }) => name === "create");
  if (create === undefined) return;
  await using service = await startService(filled.url, { directory: ground.folder, worker: true });
  const [value] = await compare(setting, create, filled, service, [raw]);
  tell({
    what: `${create.title}, while its worker assigns positions to events`,
    target: null,
    kind: ground.kind,
    value: value!,
  });
}

async function compare(
  { load, plan }: Setting,
  measured: Case,
  filled: Filled,
  service: Server,
  limits: readonly Server[],
): Promise<Ratio[]> {
  const requests = await measured.requests(filled, service.port);
  const others = limits.map(({ port }) => ({ port, requests }));
  return compareWithAll(load, plan, measured.status, { port: service.port, requests }, others);
}
