/** The latency of a small read while other clients run filters that no index answers. */
import { once } from "node:events";
import { Agent, request } from "node:http";
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Setting } from "./against-raw.ts";
import { listPath } from "./cases.ts";
import { fill } from "./filled.ts";
import type { Filled } from "./filled.ts";
import { get } from "./requests.ts";
import { startService } from "./servers.ts";

/** Filters that are asked for at once, again and again. */
const filters = 24;
const seconds = 8;
/** A read begins every so many milliseconds, however long the one before it takes: a stall is felt by all that fall into it. */
const pause = 10;
/** What a person notices, in milliseconds. */
const most = 50;

export async function measureNeighbours({ ground, load, plan, tell }: Setting): Promise<void> {
  const filled = await fill(ground, "neighbours", { contacts: plan.contacts, locations: 1 });
  await using service = await startService(filled.url, { directory: ground.folder, worker: true });
  const requests = heavyFilters().map((filter) =>
    get(filled, listPath(filled.firstLocation, { filters: JSON.stringify(filter) })),
  );
  // What follows is compiled by then.
  await readEvery(service.port, filled, sleep(500));
  const under = load.measure({ port: service.port, connections: filters, seconds, requests, status: 200 });
  const taken = (await readEvery(service.port, filled, under)).toSorted((a, b) => a - b);
  tell({
    what: `a small read of another client while ${filters} filters that no index answers run, p99`,
    target: { most, unit: " ms" },
    kind: ground.kind,
    value: taken[Math.floor(taken.length * 0.99)]!,
  });
}

/** Filters by tags, times and texts without a match: each scans every contact of the location. */
function heavyFilters(): object[] {
  return Array.from({ length: filters }, (_, number) => {
    const nobody = `nobody ${number}`;
    const among = (field: string, op: string) =>
      Array.from({ length: 10 }, (_, n) => ({ field, op, value: `${nobody}-${n}` }));
    return [
      [{ any: among("tag", "eq") }],
      [{ field: "created_at", op: "lt", value: `2001-01-${String(number + 1).padStart(2, "0")}T00:00:00Z` }],
      [{ any: among("last_name", "contains") }],
      [
        { field: "dnd", op: "eq", value: true },
        { field: "city", op: "contains", value: nobody },
      ],
    ][number % 4]!;
  });
}

/** Reads one contact after the other until `over` resolves; gives how many milliseconds each took from when it was due. */
export async function readEvery(
  port: number,
  { apiKey, contacts, firstLocation }: Filled,
  over: Promise<unknown>,
): Promise<number[]> {
  // Of `fetch`, the client's own work takes longer than the service's.
  const agent = new Agent({ keepAlive: true });
  const begun = performance.now();
  const reads: Promise<number>[] = [];
  let isOver = false;
  const ended = over.finally(() => (isOver = true));

  async function read(due: number): Promise<number> {
    const id = 1 + ((reads.length * 7_919) % contacts);
    const sent = request({
      port,
      agent,
      path: `/api/v1/contacts/${id}?location_id=${firstLocation}`,
      headers: { authorization: `Bearer ${apiKey}` },
    }).end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    await once(response.resume(), "end");
    if (response.statusCode !== 200) throw new Error(`a small read was answered with ${response.statusCode}`);
    return performance.now() - due;
  }

  for (let due = begun; !isOver; due += pause) {
    await sleep(Math.max(0, due - performance.now()));
    reads.push(read(due));
  }
  await ended;
  const taken = await Promise.all(reads);
  agent.destroy();
  return taken;
}
