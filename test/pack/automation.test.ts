/** n8n and Zapier by their own libraries: the OpenAPI document becomes a node, and the Zapier app connects, subscribes and acts. */
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { currentDocument } from "../../scripts/client/reduced-document.ts";
import { startProcess } from "../support/node-process.ts";
import { machine, run } from "./installation.ts";

const repository = join(import.meta.dirname, "../..");
const tools = join(import.meta.dirname, "automation-tools");
const crm = join(inject("packageFolder"), "node_modules/.bin/crm");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "crm-automation-"));
  await run(tools, "npm", "ci", "--prefer-offline", "--ignore-scripts");
  await symlink(join(tools, "node_modules"), join(folder, "node_modules"));
}, 110_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs an ES module in the folder, which calls `give` with its result; the libraries print what they like. */
async function runModule(text: string, environment: Record<string, string> = {}) {
  const path = join(folder, "program.mjs");
  const result = join(folder, "result.json");
  const give = `const give = (result) => writeFileSync(${JSON.stringify(result)}, JSON.stringify(result));`;
  await writeFile(path, `import { readFileSync, writeFileSync } from "node:fs";\n${give}\n${text}`);
  const { stderr, code } = await startProcess(process.execPath, [path], {
    directory: folder,
    environment,
    timeoutSeconds: 90,
  }).finished;
  if (code !== 0) throw new Error(stderr);
  // oxlint-disable-next-line typescript/no-explicit-any -- looked into freely
  return JSON.parse(await readFile(result, "utf8")) as any;
}

test("n8n: every operation of the document becomes one of a node", async () => {
  const document = currentDocument();
  await writeFile(join(folder, "openapi.json"), JSON.stringify(document));
  const names = await runModule(`
    import { N8NPropertiesBuilder } from "@devlikeapro/n8n-openapi-node";
    const properties = new N8NPropertiesBuilder(JSON.parse(readFileSync("openapi.json", "utf8")), {}).build();
    const operations = properties.filter(({ name }) => name === "operation").flatMap(({ options = [] }) => options).filter((option) => option?.routing);
    give([...new Set(operations.map(({ routing }) => routing.request.method + " " + routing.request.url))]);
  `);
  const expected = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const inOrder = (list: string[]) =>
    list.map((name) => name.replace(/^=/, "").replaceAll(/ =|\{\{.*?\}\}|\{.*?\}/g, " ")).toSorted();
  expect(inOrder(names)).toEqual(inOrder(expected));
});

test("Zapier: the key is tested, a Zap subscribes and unsubscribes, sees a sample, and upserts a contact", async () => {
  const environment = { ...machine, CRM_DATA_DIR: join(folder, "data"), CRM_PORT: "0" };
  const names = ["--workspace", "Acme", "--location", "Main Street", "--owner-email", "ada@acme.example", "--json"];
  const setUp = await startProcess(crm, ["setup", ...names], { directory: folder, environment, timeoutSeconds: 90 })
    .finished;
  const { api_key } = JSON.parse(setUp.stdout) as { api_key: { key: string } };
  await using service = startProcess(crm, ["serve"], { directory: folder, environment, timeoutSeconds: 200 });
  const [, baseUrl] = await service.match(/listening on (http:\S+)/);
  await cp(join(repository, "examples/zapier"), join(folder, "zapier"), { recursive: true });
  const done = await runModule(
    `
    import zapier from "zapier-platform-core";
    import app from "./zapier/index.js";
    const run = zapier.createAppTester(app);
    const authData = { baseUrl: process.env.URL, apiKey: process.env.KEY };
    const newContact = app.triggers.new_contact.operation;
    const me = await run(app.authentication.test, { authData });
    const [location] = await run(app.triggers.locations.operation.perform, { authData });
    const subscribeData = await run(newContact.performSubscribe, { authData, targetUrl: "https://hooks.zapier.com/1" });
    const [sample] = await run(newContact.performList, { authData });
    await run(newContact.performUnsubscribe, { authData, subscribeData });
    const again = await run(newContact.performUnsubscribe, { authData, subscribeData }).catch((error) => error.message);
    const inputData = { location_id: location.id, email: "ada@example.com", first_name: "Ada" };
    const contact = await run(app.creates.upsert_contact.operation.perform, { authData, inputData });
    const wrong = await run(app.authentication.test, { authData: { ...authData, apiKey: "x" } }).catch((error) => error.name);
    give({ me: me.workspace.name, location: location.name, sample: sample.event, again, contact: contact.email, wrong });
  `,
    { URL: baseUrl!, KEY: api_key.key },
  );
  expect(done).toMatchObject({
    me: "Acme",
    location: "Main Street",
    sample: "contact.created",
    again: expect.stringContaining("hook.not_found"),
    contact: "ada@example.com",
    wrong: expect.any(String),
  });
}, 240_000);
