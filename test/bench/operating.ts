/** What operating costs: requests beside a backup, the pace of backup and restore, and metrics that are counted. */
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createZstdDecompress } from "node:zlib";
import { createRequestMetrics } from "../../src/metrics/request-metrics.ts";
import { runCrm } from "../support/node-process.ts";
import type { Setting } from "./against-raw.ts";
import { cases } from "./cases.ts";
import { fill } from "./filled.ts";
import type { Filled } from "./filled.ts";
import { interleave, toRatio } from "./interleave.ts";
import { readEvery } from "./neighbours.ts";
import { probed } from "./probed-memory.ts";
import { get } from "./requests.ts";
import { secretKeys, startService } from "./servers.ts";
import { costsOf, tellShare } from "./share.ts";

/** Pairs of slices, without and with a backup beside them. */
const rounds = 5;
/** Of a slice of reads, in milliseconds. */
const readsFor = 4000;

export async function measureOperating(setting: Setting): Promise<void> {
  const { ground, plan } = setting;
  const filled = await fill(ground, "operating", { contacts: plan.contacts, locations: 1 });
  const { crm, take } = commands(filled, ground.folder);
  await measureBeside(setting, filled, take);
  await measurePace(setting, { crm, take });
  await measureMemory(setting, filled);
  await measureMetrics(setting, filled);
}

type Crm = (...parameters: readonly string[]) => Promise<{ readonly result: unknown; readonly seconds: number }>;
type Take = () => Promise<{ readonly file: string; readonly rows: number; readonly seconds: number }>;

/** Commands as processes of their own, starts included. */
function commands({ url }: Filled, folder: string): { readonly crm: Crm; readonly take: Take } {
  const environment = { CRM_DATABASE_URL: url, CRM_SECRET_KEYS: secretKeys, CRM_DATA_DIR: folder };
  const crm: Crm = async (...parameters) => {
    const begun = performance.now();
    const { code, stdout, stderr } = await runCrm([...parameters, "--json"], {
      environment,
      directory: folder,
      timeoutSeconds: 600,
    });
    if (code !== 0) throw new Error(`crm ${parameters.join(" ")} ended with ${code}: ${stderr}`);
    return { result: JSON.parse(stdout), seconds: (performance.now() - begun) / 1000 };
  };
  const take: Take = async () => {
    const file = join(folder, "operating.tar.zst");
    await rm(file, { force: true });
    const { result, seconds } = await crm("backup", file);
    return { file, rows: (result as { rows: number }).rows, seconds };
  };
  return { crm, take };
}

async function measureBeside({ ground, load, plan, tell }: Setting, filled: Filled, take: Take): Promise<void> {
  await using service = await startService(filled.url, { directory: ground.folder, worker: false });
  const { kind } = ground;
  const p99 = async (over: Promise<unknown>): Promise<number> => {
    const taken = (await readEvery(service.port, filled, over)).toSorted((a, b) => a - b);
    return taken[Math.floor(taken.length * 0.99)]!;
  };
  await p99(sleep(1000));
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < rounds; round++) {
    alone.push(await p99(sleep(readsFor)));
    beside.push(await besideBackups(take, () => p99(sleep(readsFor))));
  }
  tell({
    what: "a small read while a backup runs, p99, of without one",
    target: { most: 1.5 },
    kind,
    value: toRatio(beside.map((value, round) => value / alone[round]!)),
  });

  const { requests, status } = cases.find(({ name }) => name === "create")!;
  const slice = {
    port: service.port,
    connections: plan.connections,
    status,
    requests: await requests(filled, service.port),
  };
  const measure = () => load.measure({ ...slice, seconds: 2 });
  await measure();
  tell({
    what: "create a contact, 32 writers, while a backup runs, of without one",
    target: { least: 0.8 },
    kind,
    value: await interleave(rounds, () => besideBackups(take, measure), measure),
  });
}

/** Runs `work` while one backup follows the other. */
async function besideBackups<Result>(take: Take, work: () => Promise<Result>): Promise<Result> {
  let isOver = false;
  const backups = (async () => {
    while (!isOver) await take();
  })();
  try {
    return await work();
  } finally {
    isOver = true;
    await backups;
  }
}

async function measurePace({ ground, tell }: Setting, { crm, take }: { crm: Crm; take: Take }): Promise<void> {
  const { kind } = ground;
  const { file, rows, seconds } = await take();
  let bytes = 0;
  for await (const piece of createReadStream(file).pipe(createZstdDecompress())) bytes += (piece as Buffer).length;
  const target = kind === "sqlite" ? { least: 20 } : null;
  tell({
    what: "MB of rows a second in a backup, the start of the command included",
    target,
    kind,
    value: bytes / 1e6 / seconds,
  });
  const url = await ground.create("restored");
  const restored = await crm("restore", file, "--to", url);
  tell({
    what: "rows restored and compared a second, the start of the command included",
    target: { least: 20_000 },
    kind,
    value: rows / restored.seconds,
  });
}

/** The most that a backup holds beyond what the program and the database client take: that of an installation without rows. */
async function measureMemory({ ground, tell }: Setting, filled: Filled): Promise<void> {
  const { folder, kind } = ground;
  const peakOf = async (url: string): Promise<number> => {
    const file = join(folder, "memory.tar.zst");
    await rm(file, { force: true });
    const environment = { CRM_DATABASE_URL: url, CRM_SECRET_KEYS: secretKeys, CRM_DATA_DIR: folder };
    const { stderr } = await runCrm(["backup", file], {
      environment: { ...environment, NODE_OPTIONS: probed.join(" ") },
      directory: folder,
      timeoutSeconds: 600,
    });
    return Number(/^peak (\d+)$/m.exec(stderr)![1]);
  };
  const empty = await fill(ground, "without_rows", { contacts: 5, locations: 1 });
  const beyond: number[] = [];
  for (let round = 0; round < rounds; round++) beyond.push((await peakOf(filled.url)) - (await peakOf(empty.url)));
  const what = "peak memory of a backup, beyond that of one without rows";
  tell({ what, target: { most: 64, unit: " MiB" }, kind, value: toRatio(beyond).high });
}

/** What is counted of each request, with the durations of real ones, set against the requests that take the least. */
async function measureMetrics(setting: Setting, filled: Filled): Promise<void> {
  await using to = await startService(filled.url, { directory: setting.ground.folder, worker: false });
  const observer = createRequestMetrics().observe("getContact");
  const work = (milliseconds: number): void => {
    observer.begun();
    observer.answered(200, milliseconds);
    observer.ended();
  };
  const taken = await readEvery(to.port, filled, sleep(readsFor));
  const sent = { to, filled, status: 200 };
  const rows = {
    "get one full contact": await cases.find(({ name }) => name === "get")!.requests(filled, to.port),
    "`GET /me`": [get(filled, "/api/v1/me")],
  };
  for (const [title, requests] of Object.entries(rows)) {
    const whole = await costsOf(setting, { ...sent, requests });
    await tellShare(setting, `CPU time with metrics, of without: ${title}`, whole, { work, on: taken });
  }
}
