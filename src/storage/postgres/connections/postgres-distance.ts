/** How far away the server is: the shortest round trip of all that were measured as connections opened. */
import type pg from "pg";
import { orCut } from "./postgres-patience.ts";

/** On the same machine or beside it, a round trip takes less, in milliseconds. */
const near = 1;
/** How often it is measured on a connection: a busy process sees its answers late. */
const times = 2;
/** The timeout of all, in milliseconds: the server has already responded. */
const patience = 1500;

export interface Distance {
  /** Whether work waits for the server's processors more than for the network. */
  readonly isNear: boolean;
  measure(client: pg.ClientBase): Promise<void>;
}

export function createDistance(): Distance {
  let shortest = Number.POSITIVE_INFINITY;
  return {
    get isNear() {
      return shortest < near;
    },
    measure: (client) =>
      orCut(client, patience, async () => {
        for (let time = 0; time < times; time += 1) {
          const begun = performance.now();
          await client.query("select 1");
          shortest = Math.min(shortest, performance.now() - begun);
        }
      }),
  };
}
