/** The limit of inbound mail: a server that parses each mail as the service does, and commits one row of it. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import BetterSqlite from "better-sqlite3";
import pg from "pg";
import { createMailParser } from "../../src/mail/parsing/mail-parser.ts";

type Commit = (values: readonly string[]) => Promise<void>;

const create = "create table raw_mails (sender text, message_id text, subject text, body text, html text)";
const poolSize = 16;

async function openCommit(url: string): Promise<Commit> {
  if (url.startsWith("sqlite:")) {
    const database = new BetterSqlite(url.slice("sqlite:".length));
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = FULL");
    database.exec(create);
    const insert = database.prepare("insert into raw_mails values (?, ?, ?, ?, ?)");
    return async (values) => void insert.run(...values);
  }
  const pool = new pg.Pool({ connectionString: url, max: poolSize });
  await pool.query(create);
  const insert = { name: "insert", text: "insert into raw_mails values ($1, $2, $3, $4, $5)" };
  return async (values) => void (await pool.query({ ...insert, values: [...values] }));
}

const commit = await openCommit(process.env["BENCH_DATABASE_URL"]!);
const parser = createMailParser();

const server = createServer(async (request, response) => {
  const { sender, messageId, subject, body, html } = await parser.parse([await buffer(request)]);
  await commit([sender.address, messageId!, subject!, body!, html!]);
  const text = JSON.stringify({ id: messageId, conversation_id: 1 });
  response.writeHead(201, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
});
server.listen(0, "127.0.0.1", () => {
  console.log(`raw mail server listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once("SIGTERM", () => process.exit());
