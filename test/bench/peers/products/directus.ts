/** Directus on SQLite as it comes, with a collection whose e-mail addresses are indexed. Its caches, limits and telemetry are off, as they are by default or in crm. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../support/free-port.ts";
import { startNode } from "../../../support/node-process.ts";
import { fields, newPerson, piecesOfPeople, someEmails, someNumbers, someParts } from "./people.ts";
import { post, untilReady } from "./product.ts";
import type { Product } from "./product.ts";

const timeoutSeconds = 3600;

/** `folder`: where it is installed. */
export async function startDirectus(folder: string): Promise<Product> {
  const directory = await mkdtemp(join(tmpdir(), "crm-directus-"));
  const port = await freePort();
  const apiKey = "directus-bench-token";
  const environment = {
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    PORT: String(port),
    SECRET: "directus-bench-secret",
    DB_CLIENT: "sqlite3",
    DB_FILENAME: join(directory, "data.db"),
    STORAGE_LOCAL_ROOT: directory,
    EXTENSIONS_PATH: directory,
    ADMIN_EMAIL: "admin@example.com",
    ADMIN_PASSWORD: "directus-bench-password",
    ADMIN_TOKEN: apiKey,
    LOG_LEVEL: "error",
    TELEMETRY: "false",
    PRESSURE_LIMITER_ENABLED: "false",
  };
  const cli = join(folder, "node_modules/directus/cli.js");
  const options = { environment, directory, timeoutSeconds };
  const { code, stdout, stderr } = await startNode([cli, "bootstrap"], options).finished;
  if (code !== 0) throw new Error(`directus bootstrap ended with ${code}: ${stdout}${stderr}`);
  const running = startNode([cli, "start"], options);
  await untilReady(port, "/server/ping", running.finished);
  await post(port, "/collections", apiKey, {
    collection: "contacts",
    schema: {},
    meta: {},
    fields: [
      { field: "id", type: "integer", schema: { is_primary_key: true, has_auto_increment: true }, meta: {} },
      ...fields.map((field) => ({ field, type: "string", schema: { is_indexed: field === "email" }, meta: {} })),
    ],
  });
  for (const people of piecesOfPeople()) await post(port, "/items/contacts", apiKey, people);
  const list = "/items/contacts?limit=200&sort=-id";
  return {
    name: "Directus",
    port,
    pid: running.pid,
    apiKey,
    reads: {
      list: [list],
      get: someNumbers.map((n) => `/items/contacts/${n}`),
      email: someEmails.map((email) => `${list}&filter[email][_eq]=${encodeURIComponent(email)}`),
      contains: someParts.map((part) => `${list}&filter[last_name][_icontains]=${part}`),
    },
    create: { path: "/items/contacts", body: newPerson, status: 200 },
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
