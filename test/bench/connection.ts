/** A plain connection to either database, for what the benchmark does beside the two servers: filling, comparing. */
import BetterSqlite from "better-sqlite3";
import pg from "pg";

export type Row = Readonly<Record<string, unknown>>;

export interface Connection {
  readonly dialect: "sqlite" | "postgres";
  /** Runs statements without parameters. */
  run(text: string): Promise<void>;
  rows(text: string): Promise<Row[]>;
  close(): Promise<void>;
}

/** `hurried` gives up durability until it is closed, and takes memory: for filling alone. */
export async function connectTo(url: string, { hurried = false } = {}): Promise<Connection> {
  if (url.startsWith("sqlite:")) {
    const database = new BetterSqlite(url.slice("sqlite:".length), { timeout: 5000 });
    if (hurried) {
      database.pragma("synchronous = OFF");
      database.pragma("cache_size = -1000000");
    }
    return {
      dialect: "sqlite",
      run: async (text) => void database.exec(text),
      rows: async (text) => database.prepare(text).all() as Row[],
      close: async () => void database.close(),
    };
  }
  // Filling a million contacts joins and sorts more than the server's defaults hold in memory.
  const settings = "-c work_mem=256MB -c maintenance_work_mem=512MB -c synchronous_commit=off";
  const client = new pg.Client({ connectionString: url, ...(hurried ? { options: settings } : {}) });
  await client.connect();
  return {
    dialect: "postgres",
    run: async (text) => void (await client.query(text)),
    rows: async (text) => (await client.query<Row>(text)).rows,
    close: () => client.end(),
  };
}
