/** Attachments: how fast a thread is listed beside a million of them, and how much memory large files take on the way in and out. */
import { setTimeout as sleep } from "node:timers/promises";
import { limits } from "../../src/vocabulary/limits.ts";
import type { Setting } from "./against-raw.ts";
import { connectTo } from "./connection.ts";
import { fill } from "./filled.ts";
import type { Filled } from "./filled.ts";
import { compareRates, interleave, toRatio } from "./interleave.ts";
import { readCpuTime } from "./platform-billing.ts";
import { ask, get } from "./requests.ts";
import { threads } from "./seed-conversations.ts";
import { numbers, timeOn } from "./seed-sql.ts";
import { startService } from "./servers.ts";
import type { Server } from "./servers.ts";

export async function measureAttachments(setting: Setting): Promise<void> {
  await measureThreads(setting);
  await measureStreaming(setting);
}

async function measureThreads({ ground, load, plan, tell }: Setting): Promise<void> {
  const many = plan.growth[1];
  // As many on a message as it may have: with more, PostgreSQL expects that all threads are full of them.
  const contacts = threads + Math.ceil(many / limits.attachments);
  const filled = await fill(ground, "attached", { contacts, locations: 1 });
  await attach(filled.url, `v.id <= ${threads} and m.id % 10 = 0`, 1);
  const fullUrl = await ground.copy("attached", "much_attached");
  await attach(fullUrl, `v.id > ${threads}`, limits.attachments);
  const options = { directory: ground.folder, worker: false };
  await using empty = await startService(filled.url, options);
  await using full = await startService(fullUrl, options);
  const requests = Array.from({ length: threads }, (_, index) =>
    get(filled, `/api/v1/conversations/${index + 1}/messages?location_id=${filled.firstLocation}`),
  );
  const what = `list a thread beside ${many.toLocaleString("en")} attachments`;
  const { kind } = ground;
  if (kind === "postgres") {
    const value = await compareRates(load, plan, 200, { port: full.port, requests }, { port: empty.port, requests });
    tell({ what: `${what}, of without`, target: { least: 0.9 }, kind, value });
    return;
  }
  /** Nanoseconds of CPU time per response, those of SQLite included: the share of the machine does not matter. */
  const cpuOf = (service: Server) => async () => {
    const { connections, seconds } = plan;
    const before = await readCpuTime(service.running.pid);
    const rate = await load.measure({ port: service.port, connections, seconds, requests, status: 200 });
    return ((await readCpuTime(service.running.pid)) - before) / (rate * seconds);
  };
  for (let slice = 0; slice < plan.warmUps; slice++) for (const each of [full, empty]) await cpuOf(each)();
  const value = await interleave(plan.rounds, cpuOf(full), cpuOf(empty));
  tell({ what: `${what}: CPU time, of without`, target: { most: 1.1 }, kind, value });
}

/** Gives attachments to some messages `m` of conversations `v`. */
async function attach(url: string, which: string, each: number): Promise<void> {
  const connection = await connectTo(url, { hurried: true });
  const time = timeOn(connection.dialect);
  await connection.run(
    `${numbers(each)} insert into attachments (location_id, message_id, blob_key, name, content_type, size, sha256, is_stored, created_at)
     select v.location_id, m.id, 'blob ' || m.id || '-' || n, 'price-list.pdf', 'application/pdf', 100000, 'none', true,
       ${time(String(Date.now()))}
     from messages m join conversations v on v.id = m.conversation_id cross join numbers where ${which}`,
  );
  await connection.run(
    "update messages set attachment_count = (select count(*) from attachments where attachments.message_id = messages.id)",
  );
  await connection.run(connection.dialect === "sqlite" ? "vacuum" : "vacuum analyze");
  await connection.close();
}

const mebibyte = 1_048_576;
const fileBytes = 14 * mebibyte;
/** Of those that warm up: a piece. */
const smallBytes = mebibyte;
/** MiB that files on their way may add to the process, by how many are at once. */
const growth: [atOnce: number, most: number][] = [
  [1, 8],
  [4, 32],
];

async function measureStreaming({ ground, plan, tell }: Setting): Promise<void> {
  const filled = await fill(ground, "streamed", { contacts: 100, locations: 1 });
  const [small, large] = [smallBytes, fileBytes].map((bytes) => Buffer.alloc(bytes, "price list "));
  for (const [atOnce, most] of growth) {
    const grown: number[] = [];
    for (let start = 0; start < plan.starts / 2; start++) {
      await using service = await startService(filled.url, { directory: ground.folder, worker: false });
      for (let warmUp = 0; warmUp < 20; warmUp++) await together(atOnce, () => inAndOut(filled, service, small!));
      grown.push(await growthDuring(service, () => together(atOnce, () => inAndOut(filled, service, large!))));
    }
    tell({
      what: `memory of ${atOnce === 1 ? "a file of 14 MiB" : `${atOnce} such files at once`}, in and out`,
      target: { most, unit: " MiB" },
      kind: ground.kind,
      value: toRatio(grown).median,
    });
  }
}

async function together(count: number, work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, work));
}

async function inAndOut(filled: Filled, { port }: Server, file: Buffer): Promise<void> {
  const path = `/api/v1/attachments?location_id=${filled.firstLocation}&name=price-list.pdf`;
  const uploaded = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${filled.apiKey}`, "content-type": "application/pdf" },
    body: new Uint8Array(file),
  });
  const { id } = (await uploaded.json()) as { id: number };
  const at = `/api/v1/attachments/${id}?location_id=${filled.firstLocation}`;
  const { url } = await ask<{ url: string }>(filled, port, at);
  const { pathname, search } = new URL(url);
  const response = await fetch(`http://127.0.0.1:${port}${pathname}${search}`);
  let bytes = 0;
  for await (const chunk of response.body!) bytes += chunk.length;
  if (bytes !== file.length) throw new Error(`${bytes} of ${file.length} bytes were answered with ${response.status}`);
}

/** MiB: the most resident memory while `work` runs, less that before. */
async function growthDuring(service: Server, work: () => Promise<void>): Promise<number> {
  const before = await service.memory();
  let most = before;
  let isOver = false;
  const ended = work().finally(() => (isOver = true));
  while (!isOver) {
    most = Math.max(most, await service.memory());
    await sleep(2);
  }
  await ended;
  return most - before;
}
