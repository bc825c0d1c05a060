/** Opens PostgreSQL: a pool shared by reads and changes, named prepared statements, a knock when others commit. */
import { setTimeout as sleep } from "node:timers/promises";
import { MikroORM } from "@mikro-orm/postgresql";
import type { EntityManager } from "@mikro-orm/sql";
import { CompiledQuery } from "kysely";
import pg from "pg";
import type { Database, Transaction } from "./database.ts";
import { toUnavailable } from "./faults.ts";
import type { OrmOptions } from "./orm-options.ts";
import type { Value } from "./rows.ts";

const poolSize = 16;
/** How long a request waits for a connection, in milliseconds; with what follows it stays below five seconds. */
const connectPatience = 3000;
/** Knocks within this many milliseconds of each other are sent as one. */
const announcementPause = 10;
const commitChannel = "crm_commit";

/** Text with `?` → the same text with `$1, $2 …`, and the name under which each connection prepares it. */
class CompiledTexts {
  readonly #byText = new Map<string, string>();
  readonly #names = new Map<string, string>();

  /** The compiled form of a constant text, remembered for ever. */
  compile(text: string): string {
    let compiled = this.#byText.get(text);
    if (compiled === undefined) {
      compiled = numbered(text);
      this.#byText.set(text, compiled);
      this.#names.set(compiled, `crm_${this.#names.size}`);
    }
    return compiled;
  }

  nameOf(compiled: string): string | undefined {
    return this.#names.get(compiled);
  }
}

/** `?` → `$n`. Question marks inside string literals do not occur in our texts. */
function numbered(text: string): string {
  let count = 0;
  return text.replaceAll("?", () => `$${++count}`);
}

/** `pg` writes a Date in the process's time zone; UTC says what is meant. */
function bind(value: Value): string | number | boolean | null {
  return value instanceof Date ? value.toISOString() : value;
}

/** Times arrive as milliseconds, as they do from SQLite; counts, sums and ids as numbers. */
function setTypeParsers(pool: pg.Pool): void {
  const types = (pool.options as { types?: pg.TypeOverrides }).types;
  if (types === undefined) throw new Error("the pool has no type overrides");
  types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => Date.parse(toIso(text)));
  types.setTypeParser(pg.types.builtins.INT8, Number);
  types.setTypeParser(pg.types.builtins.NUMERIC, Number);
}

/** `2026-11-21 03:44:00.5+00` → `2026-11-21T03:44:00.5+00:00`, which Date.parse reads on every engine. */
function toIso(text: string): string {
  const zoned = /[+-]\d\d$/.test(text) ? `${text}:00` : text;
  return zoned.replace(" ", "T");
}

/** Opens the PostgreSQL database at `url`. Throws what `pg` throws when it cannot be reached. */
export async function openPostgres(url: string, options: OrmOptions): Promise<Database> {
  const texts = new CompiledTexts();

  /** Kysely hands over text and values; a text that we compiled gets the name it is prepared under. */
  class NamingClient extends pg.Client {
    override query(...args: unknown[]): never {
      const [text, values] = args;
      const name = typeof text === "string" ? texts.nameOf(text) : undefined;
      const forwarded = name === undefined ? args : [{ name, text, values }, ...args.slice(2)];
      return super.query(...(forwarded as Parameters<pg.Client["query"]>)) as never;
    }
  }

  let pool: pg.Pool | undefined;
  const orm = await MikroORM.init({
    ...options,
    clientUrl: url,
    driverOptions: {
      Client: NamingClient,
      max: poolSize,
      connectionTimeoutMillis: connectPatience,
      keepAlive: true,
      application_name: "crm",
      onPoolCreated(created: pg.Pool) {
        pool = created;
        setTypeParsers(created);
      },
    },
  });
  await orm.driver.getConnection().connect({ skipOnConnect: true });
  if (pool === undefined) throw new Error("MikroORM made no pool");
  const connections: pg.Pool = pool;
  let announcement: NodeJS.Timeout | undefined;

  async function query<Row>(text: string, params: readonly Value[]): Promise<Row[]> {
    try {
      const result = await connections.query(text, params.map(bind));
      return result.rows as Row[];
    } catch (error) {
      throw toUnavailable(error);
    }
  }

  return {
    orm,
    dialect: "postgres",
    rows: (text, params = []) => query(texts.compile(text), params),
    rowsOnce: (text, params = []) => query(numbered(text), params),
    async transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
      try {
        return await orm.driver
          .getConnection()
          .getClient()
          .transaction()
          .execute(async (context) => {
            const execute = async <Row>(text: string, params: readonly Value[]): Promise<Row[]> => {
              try {
                return (await context.executeQuery<Row>(CompiledQuery.raw(text, params.map(bind)))).rows;
              } catch (error) {
                throw toUnavailable(error);
              }
            };
            let em: EntityManager | undefined;
            return work({
              dialect: "postgres",
              rows: (text, params = []) => execute(texts.compile(text), params),
              rowsOnce: (text, params = []) => execute(numbered(text), params),
              get em() {
                if (em === undefined) {
                  em = orm.em.fork();
                  em.setTransactionContext(context);
                }
                return em;
              },
            });
          });
      } catch (error) {
        throw toUnavailable(error);
      }
    },
    // DDL is transactional here, and nothing that points at a table minds.
    changeSchema(work) {
      return this.transaction(work);
    },
    watchCommits: (listener) => listen(url, listener),
    announceCommit() {
      announcement ??= setTimeout(() => {
        announcement = undefined;
        // A knock that is lost costs nothing but time: every worker also looks by itself.
        connections.query(`notify ${commitChannel}`).catch(() => {});
      }, announcementPause);
    },
    exclusively: (name, work) => exclusively(url, name, work),
    async close() {
      clearTimeout(announcement);
      await orm.close(true);
    },
  };
}

/** Listens on a connection of its own, which is made anew when it breaks. */
async function listen(url: string, listener: () => void): Promise<() => Promise<void>> {
  let stopped = false;
  let client: pg.Client | undefined;

  async function connect(): Promise<void> {
    for (let pause = 100; !stopped; pause = Math.min(pause * 2, 5000)) {
      const attempt = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectPatience, keepAlive: true });
      attempt.on("error", () => {});
      attempt.on("notification", listener);
      try {
        await attempt.connect();
        await attempt.query(`listen ${commitChannel}`);
        client = attempt;
        attempt.once("end", () => {
          if (!stopped) void connect();
        });
        // Something may have been committed while nobody listened.
        listener();
        return;
      } catch {
        await attempt.end().catch(() => {});
        await sleep(pause, undefined, { ref: false });
      }
    }
  }

  await connect();
  return async () => {
    stopped = true;
    await client?.end().catch(() => {});
  };
}

/** Holds an advisory lock on a connection of its own; a process that dies lets go of it by dying. */
async function exclusively<Result>(url: string, name: string, work: () => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectPatience });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [`crm ${name}`]);
    return await work();
  } finally {
    await client.end().catch(() => {});
  }
}
