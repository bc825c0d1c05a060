/** Where databases are made and copied: a temporary folder for SQLite, a server of our own for PostgreSQL. */
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseUrl, startServer } from "../support/postgres.ts";
import { connectTo } from "./connection.ts";

export const kinds = ["sqlite", "postgres"] as const;
export type Kind = (typeof kinds)[number];

export interface Ground {
  readonly kind: Kind;
  /** What runs, such as `SQLite 3.54.0`. */
  readonly version: string;
  /** A folder of its own, for the working directory of processes. */
  readonly folder: string;
  /** An empty database. */
  create(name: string): Promise<string>;
  /** Copies a database under another name; the source must have no connections. */
  copy(name: string, as: string): Promise<string>;
  close(): Promise<void>;
}

export async function openGround(kind: Kind): Promise<Ground> {
  const folder = await mkdtemp(join(tmpdir(), "crm-bench-"));
  return kind === "sqlite" ? openFolder(folder) : openServer(folder);
}

async function openFolder(folder: string): Promise<Ground> {
  const fileOf = (name: string): string => join(folder, `${name}.db`);
  const [row] = await query("sqlite::memory:", "select sqlite_version() as version");
  return {
    kind: "sqlite",
    version: `SQLite ${row!["version"]}`,
    folder,
    create: async (name) => `sqlite:${fileOf(name)}`,
    async copy(name, as) {
      await copyFile(fileOf(name), fileOf(as));
      return `sqlite:${fileOf(as)}`;
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

async function openServer(folder: string): Promise<Ground> {
  const server = await startServer();
  const [row] = await query(server.url, "show server_version");
  return {
    kind: "postgres",
    version: `PostgreSQL ${row!["server_version"]}`,
    folder,
    async create(name) {
      await query(server.url, `create database ${name}`);
      return databaseUrl(server.url, name);
    },
    async copy(name, as) {
      await query(server.url, `create database ${as} template ${name}`);
      return databaseUrl(server.url, as);
    },
    async close() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function query(url: string, text: string) {
  const connection = await connectTo(url);
  try {
    return await connection.rows(text);
  } finally {
    await connection.close();
  }
}
