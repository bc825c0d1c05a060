/**
 * The raw limit: the HTTP server of the service (h3 and listhen) and its database drivers with nothing of ours between,
 * answering what the service answers to the requests that are measured, byte for byte.
 */
import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { H3 } from "h3";
import type { H3Event } from "h3";
import { toNodeHandler } from "h3/node";
import { listen } from "listhen";
import { FastResponse } from "srvx";
import { RawContacts } from "./raw-contacts.ts";
import type { Asker } from "./raw-contacts.ts";
import { openRawPostgres } from "./raw-postgres.ts";
import { openRawSqlite } from "./raw-sqlite.ts";

const { BENCH_DATABASE_URL: url = "", BENCH_CURSOR_KEY: cursorKey = "" } = process.env;
const database = url.startsWith("sqlite:") ? openRawSqlite(url.slice("sqlite:".length)) : openRawPostgres(url);
const contacts = new RawContacts(database, Buffer.from(cursorKey, "hex"));

async function identify(message: IncomingMessage, scope: string): Promise<Omit<Asker, "location">> {
  const token = /^Bearer (\S+)$/.exec(message.headers.authorization ?? "")?.[1] ?? "";
  const [key] = await database.read(database.statements.authenticate, [hash("sha256", token, "hex")]);
  if (key === undefined || !JSON.parse(key.scopes).includes(scope)) throw new Error("not the key of the benchmark");
  return { workspaceId: key.workspace_id, keyId: key.id, keyName: key.name };
}

async function locate(identity: Omit<Asker, "location">, id: number): Promise<Asker> {
  const [location] = await database.read(database.statements.locate, [id, identity.workspaceId]);
  return { ...identity, location };
}

function readBody(message: IncomingMessage): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    message.on("data", (chunk: Buffer) => chunks.push(chunk));
    message.on("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString("utf8"))));
    message.on("error", reject);
  });
}

function answer(status: number, body: unknown): Response {
  const text = JSON.stringify(body);
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(text)),
  };
  return new FastResponse(text, { status, headers });
}

function messageOf(event: H3Event): IncomingMessage {
  return event.runtime!.node!.req as IncomingMessage;
}

async function reading(event: H3Event): Promise<Asker> {
  const identity = await identify(messageOf(event), "contacts.readonly");
  return locate(identity, Number(event.url.searchParams.get("location_id")));
}

async function changing(event: H3Event): Promise<[Asker, Record<string, unknown>]> {
  const message = messageOf(event);
  const identity = await identify(message, "contacts.write");
  const body = await readBody(message);
  return [await locate(identity, Number(body["location_id"])), body];
}

const app = new H3({ silent: true });
app.on("GET", "/api/v1/contacts", async (event) => {
  const caller = await reading(event);
  return answer(200, await contacts.list(caller, event.url.searchParams));
});
app.on("GET", "/api/v1/contacts/:id", async (event) => {
  const caller = await reading(event);
  return answer(200, await contacts.get(caller, Number(event.context.params!["id"])));
});
app.on("POST", "/api/v1/contacts", async (event) => answer(201, await contacts.create(...(await changing(event)))));
app.on("POST", "/api/v1/contacts/upsert", async (event) => {
  return answer(200, await contacts.upsert(...(await changing(event))));
});
app.on("PATCH", "/api/v1/contacts/:id", async (event) => {
  const [caller, input] = await changing(event);
  return answer(200, await contacts.update(caller, Number(event.context.params!["id"]), input));
});
app.on("POST", "/api/v1/contacts/:id/tags", async (event) => {
  const [caller, input] = await changing(event);
  return answer(200, await contacts.addTag(caller, Number(event.context.params!["id"]), Number(input["tag_id"])));
});

const host = "127.0.0.1";
const listener = await listen(toNodeHandler(app), {
  hostname: host,
  port: { port: 0, random: true, host },
  isProd: true,
  showURL: false,
  autoClose: false,
});
Object.assign(listener.server, { headersTimeout: 20_000, requestTimeout: 60_000, keepAliveTimeout: 65_000 });
console.log(`raw server listening on ${listener.url}`);
process.once("SIGTERM", () => process.exit());
