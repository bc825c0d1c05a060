/** A private PostgreSQL of a test, which it can stop, kill and restart. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { giveTo, serverUser } from "../support/postgres-programs.ts";
import type { Place } from "./tested-system.ts";

/** `await using` stops it and removes its files. */
export interface OwnPostgres extends AsyncDisposable {
  /** A new database; with its tables and indexes in `folder`, if given. */
  createPlace(folder?: string): Promise<Place>;
  /** SIGINT: fast shutdown; SIGQUIT: immediate shutdown; SIGKILL: kills all of its processes. Resolves when it is gone. */
  signal(name: "SIGINT" | "SIGQUIT" | "SIGKILL"): Promise<void>;
  /** Resolves when it accepts connections again. */
  start(): Promise<void>;
  /** Connections stay open without responses, until `thaw`. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  rows<Row>(text: string): Promise<Row[]>;
  /** Runs `work` while a transaction in the database of `place` has executed `text` and holds its locks. */
  during<Result>(place: Place, text: string, work: () => Promise<Result>): Promise<Result>;
}

export async function openOwnPostgres(): Promise<OwnPostgres> {
  const script = join(import.meta.dirname, "postgres-process.ts");
  const child = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  child.stdin.on("error", () => {});
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  async function nextLine(expected: RegExp): Promise<string> {
    const { value } = await lines.next();
    if (!expected.test(String(value))) throw new Error(`the process of PostgreSQL said ${value}`);
    return String(value);
  }
  const url = await nextLine(/^postgres:/);

  async function order(line: string): Promise<void> {
    child.stdin.write(`${line}\n`);
    await nextLine(/^done$/);
  }

  async function connected<Result>(to: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = new pg.Client({ connectionString: to, application_name: "test" });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  const rows = <Row>(text: string) => connected(url, async (client) => (await client.query(text)).rows as Row[]);

  return {
    rows,
    during: (place, text, work) =>
      connected(place.url, async (client) => {
        await client.query("begin");
        await client.query(text);
        // The end of the connection rolls back.
        return work();
      }),
    async createPlace(folder) {
      const name = `crm_${Date.now().toString(36)}`;
      if (folder !== undefined) {
        giveTo(serverUser(), folder);
        await rows(`create tablespace ${name} location '${folder}'`);
      }
      await rows(`create database ${name} ${folder === undefined ? "" : `tablespace ${name}`}`);
      const directory = await mkdtemp(join(tmpdir(), "crm-faults-"));
      return {
        url: url.replace(/postgres$/, name),
        directory,
        drop: () => rm(directory, { recursive: true, force: true }),
      };
    },
    signal: (name) => order(name),
    start: () => order("start"),
    freeze: () => order("freeze"),
    thaw: () => order("thaw"),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}
