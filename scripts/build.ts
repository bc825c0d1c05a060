/** Makes dist/, what a package carries in place of the TypeScript: plain JavaScript, and oclif's list of the commands. */
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { viewerFiles } from "../src/http/documents/viewer.ts";

process.chdir(join(import.meta.dirname, ".."));
rmSync("dist", { recursive: true, force: true });
run("tsc", "-p", "tsconfig.build.json");
// What browsers load is served as it lies; the compiler leaves it.
cpSync("src/pages/assets", "dist/src/pages/assets", { recursive: true });

// The viewer of the API reference is a development tool that reports its installations: the package carries its files instead.
const viewer = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
for (const name of [...viewerFiles, "swagger-ui-bundle.js.LICENSE.txt", "LICENSE", "NOTICE"]) {
  cpSync(join(viewer, name), join("dist/src/http/documents/swagger-ui", name));
}

// oclif looks for the commands below the nearest package.json. With one of its own dist/ stands as the clone does, and
// neither the path of the built commands nor their list ever lies where the clone would read it.
const { name, version, description, license, type, oclif } = JSON.parse(readFileSync("package.json", "utf8"));
const contents = { name, version, description, license, type, files: ["."], oclif };
writeFileSync("dist/package.json", `${JSON.stringify(contents, null, 2)}\n`);
run("oclif", "manifest", "dist");

/** Runs a program of node_modules/.bin, which npm puts first in the PATH of its scripts; ends with it when it fails. */
function run(program: string, ...parameters: string[]): void {
  // What it says goes to stderr: stdout is that of "npm pack --json", and belongs to the answer.
  const { status, error } = spawnSync(program, parameters, {
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
