/** What the raw limit and the bare limit answer: key and location checked, the operation carried out, whatever server hands it on. */
import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { RawBilling } from "./raw-billing.ts";
import { RawContacts } from "./raw-contacts.ts";
import type { Asker } from "./raw-contacts.ts";
import { RawConversations } from "./raw-conversations.ts";
import { RawCursors } from "./raw-cursors.ts";
import { RawDeals } from "./raw-deals.ts";
import { openRawPostgres } from "./raw-postgres.ts";
import { openRawSqlite } from "./raw-sqlite.ts";

const { BENCH_DATABASE_URL: url = "", BENCH_CURSOR_KEY: cursorKey = "" } = process.env;
const database = url.startsWith("sqlite:") ? openRawSqlite(url.slice("sqlite:".length)) : openRawPostgres(url);
const cursors = new RawCursors(Buffer.from(cursorKey, "hex"));
const contacts = new RawContacts(database, cursors);
const deals = new RawDeals(database, cursors);
const conversations = new RawConversations(database, cursors);
const billing = new RawBilling(database);

export interface Asked {
  readonly message: IncomingMessage;
  /** The parameters of the query. */
  readonly query: URLSearchParams;
  /** The contact or the conversation that the path names. */
  readonly id: number;
}

interface Operation {
  readonly method: "GET" | "POST" | "PATCH";
  /** With `:id` for the contact or the conversation. */
  readonly path: string;
  readonly status: number;
  /** The body of the answer, or its text. */
  readonly answer: (asked: Asked) => Promise<unknown>;
}

export const operations: readonly Operation[] = [
  {
    method: "GET",
    path: "/api/v1/contacts",
    status: 200,
    answer: async (asked) => contacts.list(await reading(asked), asked.query),
  },
  {
    method: "GET",
    path: "/api/v1/contacts/:id",
    status: 200,
    answer: async (asked) => contacts.get(await reading(asked), asked.id),
  },
  {
    method: "POST",
    path: "/api/v1/contacts",
    status: 201,
    answer: async (asked) => contacts.create(...(await changing(asked))),
  },
  {
    method: "POST",
    path: "/api/v1/contacts/upsert",
    status: 200,
    answer: async (asked) => contacts.upsert(...(await changing(asked))),
  },
  {
    method: "PATCH",
    path: "/api/v1/contacts/:id",
    status: 200,
    async answer(asked) {
      const [caller, input] = await changing(asked);
      return contacts.update(caller, asked.id, input);
    },
  },
  {
    method: "POST",
    path: "/api/v1/contacts/:id/tags",
    status: 200,
    async answer(asked) {
      const [caller, input] = await changing(asked);
      return contacts.addTag(caller, asked.id, Number(input["tag_id"]));
    },
  },
  {
    method: "GET",
    path: "/api/v1/opportunities",
    status: 200,
    answer: async (asked) => deals.listOpportunities(await reading(asked)),
  },
  {
    method: "POST",
    path: "/api/v1/opportunities",
    status: 201,
    answer: async (asked) => deals.createOpportunity(...(await changing(asked))),
  },
  {
    method: "POST",
    path: "/api/v1/tasks",
    status: 201,
    answer: async (asked) => deals.createTask(...(await changing(asked))),
  },
  {
    method: "GET",
    path: "/api/v1/conversations",
    status: 200,
    answer: async (asked) => conversations.list(await reading(asked), asked.query),
  },
  {
    method: "GET",
    path: "/api/v1/conversations/:id",
    status: 200,
    answer: async (asked) => conversations.get(await reading(asked), asked.id),
  },
  {
    method: "POST",
    path: "/api/v1/conversations/:id/messages",
    status: 201,
    async answer(asked) {
      const [caller, input] = await changing(asked);
      return conversations.send(caller, asked.id, input);
    },
  },
  {
    method: "GET",
    path: "/api/v1/events",
    status: 200,
    answer: async (asked) => conversations.events(await reading(asked), asked.query),
  },
  {
    method: "POST",
    path: "/api/oauth/billing/webhook",
    status: 200,
    answer: async ({ message }) => billing.report(message, await readBody(message)),
  },
];

async function reading({ message, query }: Asked): Promise<Asker> {
  return locate(await identify(message, "contacts.readonly"), Number(query.get("location_id")));
}

async function changing({ message }: Asked): Promise<[Asker, Record<string, unknown>]> {
  const identity = await identify(message, "contacts.write");
  const body = await readBody(message);
  return [await locate(identity, Number(body["location_id"])), body];
}

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

export async function answerText({ answer }: Operation, asked: Asked): Promise<string> {
  const body = await answer(asked);
  return typeof body === "string" ? body : JSON.stringify(body);
}

/** The headers of an answer whose body is `text`. */
export function headersOf(text: string): Record<string, string> {
  return {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(text)),
  };
}
