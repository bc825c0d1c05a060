/** Strapi on SQLite: a project as its generator writes it, less the panel and the log of requests, with e-mail addresses indexed. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePort } from "../../../support/free-port.ts";
import { startNode } from "../../../support/node-process.ts";
import { count, fields, newPerson, personOf, someEmails, someNumbers, someParts } from "./people.ts";
import { untilReady } from "./product.ts";
import type { Product } from "./product.ts";

const timeoutSeconds = 3600;
const uid = "api::contact.contact";

/** `folder`: where it is installed. */
export async function startStrapi(folder: string): Promise<Product> {
  const directory = await mkdtemp(join(tmpdir(), "crm-strapi-"));
  const port = await freePort();
  for (const [path, text] of Object.entries(filesOf(directory, port))) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  await symlink(join(folder, "node_modules"), join(directory, "node_modules"));
  const environment = { NODE_ENV: "production", STRAPI_TELEMETRY_DISABLED: "true" };
  const cli = join(folder, "node_modules/@strapi/strapi/bin/strapi.js");
  const running = startNode([cli, "start"], { environment, directory, timeoutSeconds });
  const [, apiKey] = await running.match(/bench token (\S+)/);
  await untilReady(port, "/_health", running.finished);
  const list = "/api/contacts?pagination[pageSize]=200&sort=id:desc";
  return {
    name: "Strapi",
    port,
    pid: running.pid,
    apiKey: apiKey!,
    reads: {
      list: [list],
      get: someNumbers.map((n) => `/api/contacts/${documentIdOf(n)}`),
      email: someEmails.map((email) => `${list}&filters[email][$eq]=${encodeURIComponent(email)}`),
      contains: someParts.map((part) => `${list}&filters[last_name][$containsi]=${part}`),
    },
    create: { path: "/api/contacts", body: { data: newPerson }, status: 201 },
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** As long as those that Strapi makes. */
function documentIdOf(n: number): string {
  return `person${String(n).padStart(18, "0")}`;
}

function filesOf(directory: string, port: number): Record<string, string> {
  const module = (value: unknown): string => `module.exports = ${JSON.stringify(value)};\n`;
  const core = (kind: string): string =>
    `module.exports = require("@strapi/strapi").factories.createCore${kind}("${uid}");\n`;
  const people = Array.from({ length: count }, (_, n) => ({ documentId: documentIdOf(n + 1), ...personOf(n + 1) }));
  const attributes = Object.fromEntries(fields.map((field) => [field, { type: "string" }]));
  const named = { singularName: "contact", pluralName: "contacts", displayName: "Contact" };
  return {
    "package.json": JSON.stringify({ name: "bench", version: "0.0.0", dependencies: { "@strapi/strapi": "*" } }),
    "public/uploads/.gitkeep": "",
    "people.json": JSON.stringify(people),
    "config/server.js": module({ host: "127.0.0.1", port, app: { keys: ["bench-a", "bench-b"] } }),
    "config/admin.js": module({
      serveAdminPanel: false,
      auth: { secret: "bench-secret" },
      apiToken: { salt: "bench-salt" },
      transfer: { token: { salt: "bench-salt" } },
      secrets: { encryptionKey: "bench-key-of-thirty-two-letters-" },
    }),
    "config/api.js": module({ rest: { defaultLimit: 25, maxLimit: 200, withCount: true } }),
    "config/database.js": module({
      connection: {
        client: "sqlite",
        connection: { filename: join(directory, "data.db") },
        useNullAsDefault: true,
      },
    }),
    "config/middlewares.js": module(
      ["errors", "security", "cors", "poweredBy", "query", "body", "session", "favicon", "public"].map(
        (name) => `strapi::${name}`,
      ),
    ),
    "src/api/contact/content-types/contact/schema.json": JSON.stringify({
      kind: "collectionType",
      collectionName: "contacts",
      info: named,
      options: { draftAndPublish: false },
      attributes,
    }),
    "src/api/contact/controllers/contact.js": core("Controller"),
    "src/api/contact/services/contact.js": core("Service"),
    "src/api/contact/routes/contact.js": core("Router"),
    "src/index.js": bootstrap,
  };
}

/** Fills the table by Strapi's own query engine, in pieces that SQLite takes, and prints a token for the whole API. */
const bootstrap = `
module.exports = {
  async bootstrap({ strapi }) {
    await strapi.db.connection.schema.alterTable("contacts", (table) => void table.index("email"));
    const people = require("../people.json").map((person) => ({ ...person, publishedAt: new Date() }));
    for (let at = 0; at < people.length; at += 50)
      await strapi.db.query("${uid}").createMany({ data: people.slice(at, at + 50) });
    const token = await strapi
      .service("admin::api-token")
      .create({ name: "bench", description: "", type: "full-access", lifespan: null });
    console.log("bench token " + token.accessKey);
  },
};
`;
