/** The package `crm-client`, packed and installed into an empty folder: on every Node, for two versions of TypeScript, and in the servers of its README. */
import { createHmac } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { startProcess } from "../support/node-process.ts";
import { run } from "./installation.ts";

const repository = join(import.meta.dirname, "../..");
const tools = join(import.meta.dirname, "client-tools");
const nodes = inject("nodeFolders");
const newestCompiler = join(repository, "node_modules/typescript/bin/tsc");

let folder: string;
let tarball: string;
let files: readonly string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "crm-client-packed-"));
  await run(tools, "npm", "ci", "--prefer-offline", "--ignore-scripts");
  const packing = await run(repository, "npm", "pack", "--workspace", "client", "--json", "--pack-destination", folder);
  const [made] = JSON.parse(packing.stdout) as [{ filename: string; files: { path: string }[] }];
  tarball = join(folder, made.filename);
  files = made.files.map(({ path }) => path);
  await mkdir(join(folder, "node_modules/crm-client"), { recursive: true });
  await run(folder, "tar", "-xzf", tarball, "--strip-components=1", "-C", join(folder, "node_modules/crm-client"));
  for (const name of ["express", "hono", "@types"])
    await symlink(join(tools, "node_modules", name), join(folder, "node_modules", name));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test("carries what is built, and nothing else; the server's package carries none of it", () => {
  const steps = new Set(files.map((path) => path.split("/")[0]));
  expect(steps).toEqual(new Set(["LICENSE", "README.md", "dist", "package.json"]));
  expect(files.filter((path) => /(?<!\.d)\.ts$/.test(path))).toEqual([]);
  expect(inject("packed").filter((path) => path.startsWith("client/"))).toEqual([]);
});

test("the core is at most 12 KB, compressed and not minified", async () => {
  const core = files.filter((path) => /^dist\/esm\/.*\.js$/.test(path) && !/(oauth|webhooks)\.js$/.test(path));
  const texts = await Promise.all(core.map((path) => readFile(join(folder, "node_modules/crm-client", path))));
  const size = gzipSync(Buffer.concat(texts)).length;
  expect(size).toBeLessThanOrEqual(12 * 1024);
});

test("publint finds nothing", async () => {
  const { stdout } = await run(tools, "npx", "publint", "--strict", tarball);
  expect(stdout).toContain("All good!");
});

test("arethetypeswrong finds nothing", async () => {
  const { stdout } = await run(tools, "npx", "attw", tarball, "--format", "json");
  expect((JSON.parse(stdout) as { problems?: object }).problems ?? {}).toEqual({});
});

const useOfAll = `
const crm = createClient({ baseUrl: "http://127.0.0.1:9", token: () => "x", location: 1, retries: 0 });
const failed = await crm.contacts.list({ filters: [{ field: "city", op: "eq", value: "Paris" }] }).catch((error: unknown) => error);
if (!(failed instanceof CrmError) || failed.code !== "connection_failed") throw new Error("no CrmError");
const { url } = await authorizationUrl({ baseUrl: "http://127.0.0.1:9", clientId: "a", clientSecret: "b", redirectUri: "http://localhost/" });
if (!url.includes("code_challenge_method=S256")) throw new Error(url);
const refused = await verify("{}", "", "whsec_1").catch((error: unknown) => error);
if (!(refused instanceof WebhookError)) throw new Error("no WebhookError");
console.log("done");
`;
const imports = `import { createClient, CrmError } from "crm-client";
import { authorizationUrl } from "crm-client/oauth";
import { verify, WebhookError } from "crm-client/webhooks";
`;
const mistakes = `
export function mistakes(crm: Crm, event: WebhookEvent): unknown[] {
  return [
    // @ts-expect-error -- the last name is missing
    crm.contacts.create({ first_name: "Ada" }),
    // @ts-expect-error -- no such field
    crm.contacts.create({ first_name: "Ada", last_name: "Lovelace", emial: "ada@example.com" }),
    // @ts-expect-error -- no such method
    crm.contacts.remove(1),
    // @ts-expect-error -- not every event has one
    event.data.body,
    event.event === "message.received" ? event.data.body : event.id,
  ];
}
`;
const programs = {
  "program.ts": `${imports}import type { Crm } from "crm-client";\nimport type { WebhookEvent } from "crm-client/webhooks";\n${useOfAll}${mistakes}`,
  "program.cts": `${imports}import type { Crm } from "crm-client";\nimport type { WebhookEvent } from "crm-client/webhooks";\nasync function main() {${useOfAll}}\nvoid main();\n${mistakes}`,
  "browser.ts": `${imports}import type { Crm } from "crm-client";\nimport type { WebhookEvent } from "crm-client/webhooks";\n${useOfAll}${mistakes}`,
};

const pick = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, programs[name as keyof typeof programs]]));

/** What the examples of the README leave to their app. */
const givenToReadme = `declare const request: { readonly url: string };
declare const database: {
  readTokens(): Promise<import("crm-client/oauth").Tokens>;
  writeTokens(tokens: import("crm-client/oauth").Tokens): Promise<void>;
};
`;

describe.each([
  ["5.6", () => join(tools, "node_modules/typescript-5.6/bin/tsc")],
  ["the newest", () => newestCompiler],
])("TypeScript %s, strict", (version, compiler) => {
  test.each([
    [
      "ES modules and CommonJS on Node",
      ["program.ts", "program.cts"],
      { module: "nodenext", lib: ["es2022"], types: ["node"] },
    ],
    [
      "a bundler for browsers",
      ["browser.ts"],
      { module: "esnext", moduleResolution: "bundler", lib: ["es2022", "dom"], types: [] },
    ],
  ])("%s", async (what, sources, options) => {
    expect(await compile(what, pick(sources), options)).toBe("");
  });

  test("the examples of the README", async () => {
    const blocks = await examplesOfReadme();
    expect(blocks.length).toBeGreaterThan(5);
    const sources = Object.fromEntries(blocks.map((code, place) => [`example-${place}.ts`, code]));
    const options = { module: "nodenext", lib: ["es2022", "dom"], types: ["node"], skipLibCheck: true };
    expect(await compile("README", { ...sources, "given.d.ts": givenToReadme }, options)).toBe("");
  });

  /** Resolves to what the compiler prints about the files. */
  async function compile(what: string, sources: Readonly<Record<string, string>>, options: object): Promise<string> {
    const place = join(folder, `typescript-${version}-${what}`.replaceAll(" ", "-"));
    await mkdir(place);
    for (const [name, text] of Object.entries(sources)) await writeFile(join(place, name), text);
    const compilerOptions = {
      target: "es2022",
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      outDir: "out",
      rootDir: ".",
      typeRoots: [join(tools, "node_modules/@types")],
      ...options,
    };
    await writeFile(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(sources) }));
    const { stdout } = await run(place, process.execPath, compiler(), "-p", ".").catch(
      (error: { stdout: string }) => error,
    );
    return stdout;
  }
});

describe.each([20, 22, 24] as const)("Node %i", (major) => {
  test.each([
    ["ES modules", "program.mjs", `${imports}${useOfAll}`],
    [
      "CommonJS",
      "program.cjs",
      `${imports.replaceAll(/import (.*) from (".*");/g, "const $1 = require($2);")}(async () => {${useOfAll}})();`,
    ],
  ])("%s", async (_what, name, text) => {
    const path = join(folder, `${major}-${name}`);
    await writeFile(path, text.replaceAll(": unknown", ""));
    const { stdout } = await run(folder, join(nodes[major], "node"), path);
    expect(stdout).toBe("done\n");
  });
});

const readReadme = () => readFile(join(folder, "node_modules/crm-client/README.md"), "utf8");

async function examplesOfReadme(): Promise<string[]> {
  return [...(await readReadme()).matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code!);
}

/** The code below a line of the README. */
async function exampleOf(line: string): Promise<string> {
  const readme = await readReadme();
  const [, code] = readme.split(`${line}\n\n\`\`\`ts\n`);
  if (code === undefined) throw new Error(`no example below "${line}"`);
  return code.split("```")[0]!;
}

describe("the README receives webhooks", () => {
  const secret = "whsec_0123456789";
  const body = JSON.stringify({ id: 1, event: "contact.created", created_at: "", data: { name: "Ada" } });
  const signed = (key = secret) => {
    const time = Math.floor(Date.now() / 1000);
    const digits = createHmac("sha256", key).update(`${time}.${body}`).digest("hex");
    const headers = { "content-type": "application/json", "x-service-signature": `t=${time},v1=${digits}` };
    return new Request("http://localhost/hooks", { method: "POST", headers, body });
  };

  test.each(["With `node:http`:", "With Express:"])("%s", async (line) => {
    const port = String(await freePort());
    const name = `${line.replaceAll(/\W/g, "")}.ts`;
    await writeFile(join(folder, name), (await exampleOf(line)).replace("4000", port));
    await using server = startProcess(process.execPath, [join(folder, name)], {
      directory: folder,
      environment: { CRM_HOOK_SECRET: secret },
    });
    const send = async (request: Request) =>
      fetch(`http://127.0.0.1:${port}/hooks`, { method: "POST", headers: request.headers, body });
    const isAnswered = () =>
      send(signed()).then(
        ({ status }) => status,
        () => "not started",
      );
    await expect.poll(isAnswered, { timeout: 20_000 }).toBe(204);
    expect((await send(signed("whsec_other"))).status).toBe(400);
    expect(server.printed().stdout).toContain("Welcome, Ada\n");
  });

  test.each([
    ["With Hono:", "hono.ts", "module.default.fetch"],
    // A route handler of Next is a function from Request to Response; Next itself is not needed to call it.
    ["With Next, in `app/hooks/route.ts`:", "route.ts", "module.POST"],
  ])("%s", async (line, name, handler) => {
    const runner = `import * as module from "./${name}";
      const [requests, body] = JSON.parse(process.argv[2]);
      for (const headers of requests) {
        const request = new Request("http://localhost/hooks", { method: "POST", headers, body });
        console.log((await ${handler}(request)).status);
      }`;
    await writeFile(join(folder, name), await exampleOf(line));
    await writeFile(join(folder, `run-${name}`), runner);
    const requests = [signed(), signed("whsec_other")].map(({ headers }) => Object.fromEntries(headers));
    const { stdout, stderr } = await startProcess(
      process.execPath,
      [join(folder, `run-${name}`), JSON.stringify([requests, body])],
      { directory: folder, environment: { CRM_HOOK_SECRET: secret } },
    ).finished;
    expect({ stdout, stderr }).toEqual({ stdout: "Welcome, Ada\n204\n400\n", stderr: "" });
  });
});
