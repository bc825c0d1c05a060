/** One PostgreSQL connection apart from the pool, made when it is needed: it tells how the database is while the pool waits. */
import pg from "pg";
import { briefLockWait } from "./postgres-lock-waits.ts";
import { tellSettings } from "./postgres-settings.ts";
import type { Ask } from "./postgres-rows.ts";

/** How long it may take to connect, and then to answer, in milliseconds: with both an answer comes within five seconds. */
const patience = 2000;

export interface Reserve {
  /** Throws what `pg` throws, also when no answer comes in time. Those who ask at once are answered one after the other. */
  readonly ask: Ask;
  /** May be called twice. */
  close(): Promise<void>;
}

/** `types`: how values are read. */
export function openReserve(url: string, types: pg.CustomTypesConfig | undefined): Reserve {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: patience,
    application_name: "crm",
    onConnect: (client) => tellSettings(client, briefLockWait),
    ...(types === undefined ? {} : { types }),
  });
  // Without a listener the loss of an idle connection ends the process; the next question makes another.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return {
    async ask({ text }, values) {
      const client = await pool.connect();
      const { stream } = (client as unknown as pg.Client).connection;
      const cutting = setTimeout(() => stream.destroy(), patience);
      try {
        const { rows } = await client.query(text, [...values]);
        client.release();
        return rows;
      } catch (error) {
        client.release(true);
        throw error;
      } finally {
        clearTimeout(cutting);
      }
    },
    async close() {
      if (!pool.ending) await pool.end();
    },
  };
}
