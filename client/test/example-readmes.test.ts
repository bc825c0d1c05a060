/** The READMEs of the examples, followed as they are written: each command, with what earlier ones printed in place of `…`. */
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sampleOf } from "../../test/support/chance.ts";
import { freePort } from "../../test/support/free-port.ts";
import { runScript, stepsOf } from "../../test/support/guides.ts";
import { repository, startCrm, startProcess } from "../../test/support/node-process.ts";
import type { RunningProcess } from "../../test/support/node-process.ts";

/** The two settings that a README gives the service and the terminal. */
const settings = { CRM_WEBHOOK_ALLOW_HTTP: "on", CRM_WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" };

let folder: string;
let service: RunningProcess;
let environment: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "crm-examples-"));
  environment = { CRM_DATA_DIR: folder };
  service = startCrm(["serve"], { environment: { ...environment, ...settings, CRM_PORT: "0" }, timeoutSeconds: 300 });
  const [, url] = await service.match(/^crm listening on (\S+)$/m);
  environment = { ...environment, CRM_URL: url!, CRM_PORT: new URL(url!).port };
}, 90_000);
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** The blocks of commands of the example's README, for this port. */
function commandsOf(example: string, port: string): string[] {
  const readme = readFileSync(join(repository, "examples", example, "README.md"), "utf8");
  const shown = /--transport-url http:\/\/127\.0\.0\.1:(\d+)|(?:http:\/\/)localhost:(\d+)/.exec(readme)!;
  return stepsOf(readme).map(({ command }) => command.replaceAll(shown[1] ?? shown[2]!, port));
}

/** Runs a block to its end; resolves to what it prints. */
const run = (command: string): Promise<string> =>
  runScript({ directory: repository, port: environment["CRM_PORT"]! }, command, environment);

/** Runs a block whose last command is the example, until it listens; `values` go in place of each `…`, in their order. */
async function start(command: string, port: string, values: readonly string[] = []): Promise<RunningProcess> {
  const left = [...values];
  const script = command
    .replaceAll("…", () => left.shift() ?? "…")
    .replace("npx node examples/", `exec ${process.execPath} examples/`);
  expect(script).not.toContain("…");
  const example = startProcess("bash", ["-euc", script], {
    environment: { ...environment, PORT: port },
    timeoutSeconds: 120,
  });
  await example.match(new RegExp(`Listening on.*${port}`));
  return example;
}

const guides: readonly (readonly [example: string, follow: () => Promise<void>])[] = [
  [
    "the form of a website",
    async () => {
      const port = String(await freePort());
      const [whole] = commandsOf("website-form", port);
      await using _ = await start(whole!, port);
      const body = new URLSearchParams({
        first_name: "Ada",
        last_name: "Lovelace",
        email: "ada@example.com",
        message: "Hello",
        website: "",
      });
      expect(await (await fetch(`http://localhost:${port}`, { method: "POST", body })).text()).toContain("Thank you");
      expect(await run("node bin/crm.js contacts list")).toContain("ada@example.com");
    },
  ],

  [
    "a missed call",
    async () => {
      const port = String(await freePort());
      const [, create, gateway, calls] = commandsOf("missed-call", port);
      const printed = await run(create!);
      const [, id] = /^Created channel (\d+)/m.exec(printed)!;
      const [inbound, receipts, secret] = printed.match(/^(http\S+|whsec_\S+)$/gm)!;
      await using _ = await start(gateway!, port, [id!, secret!, inbound!, receipts!]);
      expect(await run(calls!)).toContain("Do you have a table for two?");
    },
  ],

  [
    "a paid app",
    async () => {
      const port = String(await freePort());
      const [, steps] = commandsOf("marketplace-app", port);
      const [create, app] = steps!.split("export CRM_CLIENT_ID");
      const printed = await run(create!);
      expect(printed).toMatch(/^http\S+\/setup\//m);
      const values = [/crm_app_\w+/, /crm_cs_\w+/].map((pattern) => pattern.exec(printed)![0]);
      await using _ = await start(`export CRM_CLIENT_ID${app}`, port, values);
      expect(await (await fetch(`http://localhost:${port}`)).text()).toContain("Install in crm");
      const { headers } = await fetch(`http://localhost:${port}/install`, { redirect: "manual" });
      expect((await fetch(headers.get("location")!)).status).toBe(200);
    },
  ],
];

test.each(sampleOf("READMEs of the examples", 1, guides))("%s", (_example, follow) =>
  expect(follow()).resolves.toBeUndefined(),
);
