/** A reserve connection outside the pool, opened on demand: it checks the database while the pool is exhausted. */
import pg from "pg";
import { briefLockWait } from "../postgres-lock-waits.ts";
import { orCut } from "./postgres-patience.ts";
import { applySettings } from "./postgres-settings.ts";
import type { Ask } from "../postgres-rows.ts";

/** The timeouts to connect and to respond, in milliseconds: together they stay below five seconds. */
const patience = 2000;

export interface Reserve {
  /** Throws errors of `pg`, including a timeout. Concurrent calls run one after the other. */
  readonly ask: Ask;
  /** May be called twice. */
  close(): Promise<void>;
}

/** `types`: the value parsers. */
export function openReserve(url: string, types: pg.CustomTypesConfig | undefined): Reserve {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: patience,
    application_name: "crm",
    onConnect: (client) => applySettings(client, briefLockWait),
    ...(types === undefined ? {} : { types }),
  });
  // Without a listener, an error of the idle connection would end the process; the next call opens another.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return {
    async ask({ text }, values) {
      const client = await pool.connect();
      try {
        const { rows } = await orCut(client, patience, () => client.query(text, [...values]));
        client.release();
        return rows;
      } catch (error) {
        client.release(true);
        throw error;
      }
    },
    async close() {
      if (!pool.ending) await pool.end();
    },
  };
}
