/** The examples of the API reference, taken from its pages and run as they are: curl for every operation that its records exist for. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiDocument } from "../../src/pages/reference/api-document.ts";
import { listOperations } from "../../src/pages/reference/contents.ts";
import { fetchOpenApi } from "../support/openapi.ts";
import { makeRecords } from "../support/records.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

let world: World;
let folder: string;
let addresses: ReadonlyMap<string, string>;
beforeAll(async () => {
  world = await createWorld("sqlite", { environment: { CRM_WEBHOOK_ALLOWED_NETWORKS: "0.0.0.0/0" } });
  await makeRecords(world);
  folder = await mkdtemp(join(tmpdir(), "crm-examples-"));
  await writeFile(join(folder, "headers"), `Authorization: Bearer ${world.keys.owner!}\n`);
  const document = (await fetchOpenApi(world.url)) as unknown as ApiDocument;
  addresses = new Map(listOperations(document).map(({ operation, address }) => [operation.operationId, address]));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await world?.close();
});

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

async function exampleOf(name: string, language: string): Promise<string> {
  const page = await (await fetch(world.url + addresses.get(name)!)).text();
  const [, code = ""] = new RegExp(`data-language="${language}">.*?<code>(.*?)</code>`, "s").exec(page)!;
  return code.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!);
}

async function run(command: string, ...parameters: readonly string[]): Promise<string> {
  const environment = { ...process.env, CRM_KEY: world.keys.owner! };
  const child = spawn(command, parameters, { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const [printed, said] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return printed + said;
}

/** Operation → the status of its example; in an order in which what an example needs is still there. */
test.each([
  ["listLocations", 200],
  ["listContacts", 200],
  ["getContact", 200],
  ["createContact", 201],
  ["upsertContact", 200],
  ["bulkUpsertContacts", 200],
  ["updateContact", 200],
  ["createTag", 201],
  ["addContactTag", 200],
  ["removeContactTag", 200],
  ["listNotes", 200],
  ["addNote", 201],
  ["createOpportunity", 201],
  ["updateOpportunity", 200],
  ["listPipelines", 200],
  ["createTask", 201],
  ["updateTask", 200],
  ["startConversation", 200],
  ["updateConversation", 200],
  ["sendMessage", 201],
  ["listMessages", 200],
  ["listWorkflows", 200],
  ["enroll", 201],
  ["listChannels", 200],
  ["listUsers", 200],
  ["readEventLog", 200],
  ["reportEvent", 201],
  ["getSampleEvent", 200],
  ["registerHook", 201],
  ["listDeliveries", 200],
  ["removeHook", 204],
  ["deleteContact", 204],
])("curl: %s answers %d", async (name, status) => {
  const code = await exampleOf(name, "curl");
  const printed = await run("sh", "-c", `${code} -s -w '\\n%{http_code}'`);
  expect([name, printed, printed.split("\n").at(-1)]).toEqual([name, printed, String(status)]);
});

test.each(["listTasks", "upsertContact"])("JavaScript: %s", async (name) => {
  await writeFile(join(folder, "example.mjs"), await exampleOf(name, "JavaScript"));
  expect(await run(process.execPath, "example.mjs")).toMatch(/^20[01] \{/);
});

test.each(["listTasks", "upsertContact"])("Python: %s", async (name) => {
  await writeFile(join(folder, "example.py"), await exampleOf(name, "Python"));
  expect(await run("python3", "example.py")).toMatch(/^20[01] \{/);
});
