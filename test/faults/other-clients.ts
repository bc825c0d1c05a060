/** The other clients: they keep reading and writing during an attack, and record the responses. */
import { setTimeout as sleep } from "node:timers/promises";
import type { TestedSystem } from "./tested-system.ts";
import { KeepAliveConnection } from "./keep-alive-connection.ts";
import type { Asked } from "./keep-alive-connection.ts";

const clients = 4;
const pause = 10;

export interface OtherClients {
  readonly served: number;
  /** The responses that were not 2xx. */
  readonly wrong: readonly unknown[];
  /** Response times in milliseconds, since the start or the last reset. */
  readonly slowest: number;
  median(): number;
  forget(): void;
  /** Resolves when each has its last response. */
  stop(): Promise<void>;
}

/** They write contacts, read one of them, and the first page. */
export function startOtherClients(system: TestedSystem, url: string): OtherClients {
  const { key, location } = system;
  const seen = { served: 0, slowest: 0, wrong: [] as unknown[] };
  let took: number[] = [];
  let stopped = false;

  async function go(): Promise<void> {
    const line = new KeepAliveConnection(url);
    let id = 0;
    const round: (() => Asked)[] = [
      () => ({
        method: "POST",
        path: "/api/v1/contacts",
        key,
        body: { location_id: location, first_name: "Olive", last_name: "Other" },
      }),
      () => ({ method: "GET", path: `/api/v1/contacts/${id}?location_id=${location}`, key }),
      () => ({ method: "GET", path: "/healthz" }),
    ];
    for (let turn = 0; !stopped; turn++) {
      const { status, body, milliseconds } = await line.ask(round[turn % round.length]!());
      seen.served += 1;
      seen.slowest = Math.max(seen.slowest, milliseconds);
      took.push(milliseconds);
      if (status === 201) id = body.id;
      else if (status !== 200) seen.wrong.push({ status, body });
      await sleep(pause);
    }
    line.close();
  }

  const all = Promise.all(Array.from({ length: clients }, go));
  // Handled when they are stopped.
  all.catch(() => {});
  return Object.assign(seen, {
    median: () => took.toSorted((one, other) => one - other)[took.length >> 1]!,
    forget() {
      seen.slowest = 0;
      took = [];
    },
    async stop() {
      stopped = true;
      await all;
    },
  });
}
