/** Clients that write and read during a fault, and the responses they get. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { TestedSystem } from "./tested-system.ts";
import { KeepAliveConnection } from "./keep-alive-connection.ts";
import type { Asked } from "./keep-alive-connection.ts";
import { until } from "./until.ts";

/** The number of clients that write; the others read. */
export const writers = 16;
const readers = 8;
/** The maximum response time in milliseconds, whatever the database does: five seconds, and what two busy cores add. */
export const patience = 8000;

/** The responses, and the times of each client's last success and last 503. */
export class Observations {
  readonly answered = new Map<string, number>();
  readonly statuses = new Map<number, number>();
  readonly wrong: unknown[] = [];
  slowest = 0;
  readonly lastServed: number[] = Array.from({ length: writers + readers }, () => 0);
  readonly lastRefused: number[] = Array.from({ length: writers + readers }, () => 0);
  stopped = false;
}

async function askOn(url: string, client: number, seen: Observations, next: () => Asked): Promise<void> {
  const line = new KeepAliveConnection(url);
  while (!seen.stopped) {
    const asked = next();
    const { status, headers, body, milliseconds } = await line.ask(asked);
    seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1);
    seen.slowest = Math.max(seen.slowest, milliseconds);
    if (status === 503) {
      const told = { retryAfter: headers["retry-after"], error: body.error };
      if (told.retryAfter !== "1" || told.error !== "unavailable") seen.wrong.push(told);
      else seen.lastRefused[client] = performance.now();
      await sleep(100);
    } else if (status === (asked.method === "POST" ? 201 : 200)) {
      if (status === 201) seen.answered.set(body.email, body.id);
      seen.lastServed[client] = performance.now();
      await sleep(5);
    } else seen.wrong.push({ status, body });
  }
  line.close();
}

function startLoad(system: TestedSystem, url: string, seen: Observations): Promise<unknown> {
  const { key, location } = system;
  return Promise.all(
    Array.from({ length: writers + readers }, (_, client) => {
      let serial = 0;
      return askOn(url, client, seen, () => {
        serial += 1;
        const email = `c${client}.${serial}@example.com`;
        return client < writers
          ? {
              method: "POST",
              path: "/api/v1/contacts",
              key,
              body: { location_id: location, first_name: "Pat", last_name: "", email },
            }
          : { method: "GET", path: `/api/v1/contacts?location_id=${location}&email=c0.1@example.com`, key };
      });
    }),
  );
}

/** Puts load on `system` while `work` runs, and reports the responses. */
export async function underLoad(
  name: string,
  system: TestedSystem,
  url: string,
  work: (seen: Observations) => Promise<void>,
): Promise<Observations> {
  const seen = new Observations();
  const load = startLoad(system, url, seen);
  try {
    await allServedAfter(seen, 0);
    await work(seen);
  } finally {
    seen.stopped = true;
    await load;
    process.stdout.write(`${name}: ${JSON.stringify([...seen.statuses])}, slowest ${Math.round(seen.slowest)} ms\n`);
  }
  expect(seen.wrong).toEqual([]);
  expect(seen.slowest).toBeLessThan(patience);
  return seen;
}

/** Resolves when every client has had a success after `moment`. */
export function allServedAfter(seen: Observations, moment: number): Promise<unknown> {
  return until("all clients are served", () => seen.lastServed.every((last) => last > moment));
}
