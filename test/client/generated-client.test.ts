/** The OpenAPI document is one that a client can be generated from: it is generated here, compiled, and does its work. */
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startNode } from "../support/node-process.ts";
import { request } from "../support/client.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const repository = join(import.meta.dirname, "../..");
const program = join(import.meta.dirname, "program.ts");

let world: World;
let folder: string;
beforeAll(async () => {
  world = await createWorld("sqlite");
  folder = await mkdtemp(join(tmpdir(), "crm-client-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await world?.close();
});

const run = (parameters: string[], options: Parameters<typeof startNode>[1]) => startNode(parameters, options).finished;

const compilerOptions = {
  target: "es2024",
  module: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  noEmit: true,
  types: ["node"],
};

test("a typed client creates, pages, filters and deletes without a cast", async () => {
  const { text: document } = await request(world.url, { method: "GET", path: "/openapi.json" });
  const types = await run([join(import.meta.dirname, "../../scripts/client/print-types.ts")], { input: document });
  expect(types).toMatchObject({ code: 0, stderr: "" });

  await mkdir(join(folder, "src"));
  await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
  await writeFile(join(folder, "src/crm.d.ts"), types.stdout);
  await copyFile(program, join(folder, "src/program.ts"));
  const code = (await readFile(program, "utf8")).replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, "");
  expect(code).not.toMatch(/\bas\b|\bany\b|[\w)\]]![.;,)[]/);

  const compiler = join(repository, "node_modules/typescript/bin/tsc");
  const compiled = await run([compiler, "--project", folder], { directory: folder });
  expect([compiled.stdout, compiled.stderr, compiled.code]).toEqual(["", "", 0]);

  const ran = await run([join(folder, "src/program.ts")], {
    directory: folder,
    environment: { CRM_URL: world.url, CRM_KEY: world.keys.owner!, CRM_LOCATION: String(world.north) },
  });
  expect(ran.stderr).toBe("");
  expect(JSON.parse(ran.stdout)).toEqual({
    created: "Ada Lovelace",
    all: 251,
    inParis: 125,
    refused: ["first_name", "email"],
    dnd: true,
    tags: ["VIP"],
    note: "Hello.",
    deleted: 204,
    gone: "contact.not_found",
    detail: "There is no contact with that id in this location.",
  });
}, 60_000);
