/** For all tests of this folder: the package, packed and installed into an empty folder, and the Nodes that a machine may have. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** An empty folder with the package in its node_modules, and a script "start" that runs `crm serve`. */
    packageFolder: string;
    /** The files of the package. */
    packed: readonly string[];
    /** The folder of the program `node`, by its major version. */
    nodeFolders: Readonly<Record<NodeMajor, string>>;
  }
}

export type NodeMajor = 20 | 22 | 24;

const repository = join(import.meta.dirname, "../..");
const olderNodes = join(import.meta.dirname, "nodes");

// The Node and the npm of the machine, not those that npm puts in front for this test run, and none of its settings.
const { PATH = "", HOME = "", TMPDIR = tmpdir() } = process.env;
const folders = PATH.split(delimiter).filter((path) => !path.includes("node_modules"));
export const machine = { PATH: folders.join(delimiter), HOME, TMPDIR };

/** Runs `program`; resolves to what it printed when it ends with 0, and fails when it does not or takes too long. */
export const run = (cwd: string, program: string, ...parameters: string[]) =>
  promisify(execFile)(program, parameters, { cwd, env: machine, timeout: 300_000, maxBuffer: 1 << 24 });

/** Called by vitest. What takes no part in the other runs beside it: each waits for npm's registry. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "crm-packed-"));
  // Installs that another one's failure leaves behind may still write there.
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 10 });
  try {
    const [packed] = await Promise.all([
      packInto(folder),
      run(olderNodes, "npm", "ci", "--prefer-offline"),
      // In a clone npx makes a link to it once, which several starts at once must not.
      run(repository, "npx", "--yes", "crm", "--version"),
    ]);
    project.provide("packageFolder", folder);
    project.provide("packed", packed);
    const older = (major: 20 | 22) => join(olderNodes, `node_modules/node${major}/bin`);
    project.provide("nodeFolders", { 20: older(20), 22: older(22), 24: dirname(process.execPath) });
  } catch (error) {
    await remove();
    throw error;
  }
  return remove;
}

/** Packs the package, and installs it in `folder`; resolves to its files. */
async function packInto(folder: string): Promise<readonly string[]> {
  const packing = await run(repository, "npm", "pack", "--json", "--pack-destination", folder);
  const [made] = JSON.parse(packing.stdout) as [{ filename: string; files: { path: string }[] }];
  await writeFile(join(folder, "package.json"), JSON.stringify({ scripts: { start: "exec crm serve" } }));
  await run(folder, "npm", "install", "--prefer-offline", join(folder, made.filename));
  return made.files.map(({ path }) => path);
}
