/** A short command loads what it needs and no more: no duty of the worker, no HTTP, no endpoint. */
import { once } from "node:events";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCrm } from "../support/node-process.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

let terminal: Terminal;
beforeAll(async () => {
  terminal = await createTerminal("sqlite");
  await setUpAcme(terminal);
});
afterAll(() => terminal?.close());

/** The files that `crm` with these parameters loads, as paths from the root. */
async function loadedBy(...parameters: string[]): Promise<string[]> {
  const list = join(terminal.directory, "loaded.json");
  const hooks = `
    import { writeFileSync } from "node:fs";
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    process.on("exit", () => writeFileSync(${JSON.stringify(list)}, JSON.stringify(loaded)));
  `;
  const environment = {
    ...terminal.environment,
    CRM_CLIENT_SECRET: "crm_cs_x",
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hooks)}`,
  };
  expect(await runCrm(parameters, { environment })).toMatchObject({ code: 0, stderr: "" });
  const urls: string[] = JSON.parse(await readFile(list, "utf8"));
  return urls.filter((url) => url.startsWith("file:")).map((url) => relative(root, fileURLToPath(url)));
}

/** What only a worker that works, or a server, needs. */
const heavy = /^src\/(duties|server|operations|routes)\.ts$|\.(duties|routes)\.ts$|^node_modules\/(h3|node-cron)\//;

test.each([
  ["crm tags create", ["tags", "create", "VIP"]],
  ["crm keys create", ["keys", "create", "shop"]],
  ["crm contacts export", ["contacts", "export"]],
])("%s loads no duty and no HTTP", async (_command, parameters) => {
  const loaded = await loadedBy(...parameters);
  expect(loaded).toContain("src/service.ts");
  expect(loaded.filter((path) => heavy.test(path))).toEqual([]);
});

test("crm billing report loads neither database nor server", async () => {
  const server = createServer((_request, response) => response.end('{"ok":true}')).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const app = ["--client-id", "crm_app_x", "--location", "1"];
  const payment = ["--amount", "1", "--status", "COMPLETED", "--type", "recurring"];
  const loaded = await loadedBy("billing", "report", "--url", url, ...app, ...payment);
  server.close();
  expect(loaded).toContain("terminal/payment-report.ts");
  expect(
    loaded.filter((path) => /^src\/(service|server)\.ts$|mikro-orm|better-sqlite3|\/pg\/|\/h3\//.test(path)),
  ).toEqual([]);
});

test("crm --help loads no command, once the list of a clone is kept", async () => {
  const commands = async () => (await loadedBy("--help")).filter((path) => path.startsWith("commands/"));
  await expect.poll(commands, { timeout: 15_000, interval: 200 }).toEqual([]);
});

test("crm worker --once loads every duty, and no HTTP", async () => {
  const duties = globSync("src/**/{duties,*.duties}.ts", { cwd: root });
  const loaded = await loadedBy("worker", "--once");
  expect(loaded.filter((path) => heavy.test(path)).toSorted()).toEqual(duties.toSorted());
});
