/** bin/ finds what belongs to it: the written commands before built ones, and the Node that npm installed with it. */
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { asNode20, startNode } from "../support/node-process.ts";

const repository = join(import.meta.dirname, "../..");
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "crm-where-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A file with the folders above it. */
async function write(path: string, text: string): Promise<void> {
  await mkdir(join(folder, path, ".."), { recursive: true });
  await writeFile(join(folder, path), text);
}

describe("the commands", () => {
  const description = JSON.stringify({
    name: "crm",
    version: "1.0.0",
    type: "module",
    oclif: { commands: "./commands" },
  });
  const command = (says: string) => `
    import { Command } from "@oclif/core";
    export default class Where extends Command { async run() { this.log("${says}"); } }`;
  const where = async () => (await startNode([join(folder, "bin/crm.js"), "where"]).finished).stdout;

  beforeEach(async () => {
    await cp(join(repository, "bin"), join(folder, "bin"), { recursive: true });
    await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
    await write("package.json", description);
    await write("dist/package.json", description);
    await write("dist/commands/where.js", command("built"));
  });

  test("in a package are the built ones", async () => {
    expect(await where()).toBe("built\n");
  });

  test("in a clone are the written ones, whatever an earlier build left behind", async () => {
    await write("commands/where.ts", command("written"));
    expect(await where()).toBe("written\n");
  });
});

describe("started by an older Node, the one to go on with", () => {
  test.each([
    ["below a clone", "bin", "node_modules"],
    ["beside a package", "node_modules/crm/bin", "node_modules"],
    ["below a package", "node_modules/crm/bin", "node_modules/crm/node_modules"],
  ])("lies %s", async (_where, bin, modules) => {
    await cp(join(repository, "bin"), join(folder, bin), { recursive: true });
    await write(join(bin, "../package.json"), '{ "type": "module" }');
    await write(join(bin, "oclif.js"), "console.log(process.versions.node);");
    await mkdir(join(folder, modules, "node/bin"), { recursive: true });
    await symlink(process.execPath, join(folder, modules, "node/bin/node"));

    const { code, stdout, stderr } = await startNode([...asNode20, join(folder, bin, "crm.js")]).finished;
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${process.versions.node}\n`, stderr: "" });
  });
});
