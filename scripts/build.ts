/** Builds dist/ for the package: JavaScript instead of TypeScript, and oclif's command manifest. */
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { files } from "../src/pages/reference/contents.ts";

process.chdir(join(import.meta.dirname, ".."));
rmSync("dist", { recursive: true, force: true });
run("tsc", "-p", "tsconfig.build.json");
// Browser assets are copied: the compiler ignores them.
cpSync("src/pages/assets", "dist/src/pages/assets", { recursive: true });

// The documents that the API reference renders.
for (const name of files) cpSync(join("docs", name), join("dist/docs", name));

// oclif resolves commands relative to the nearest package.json. With its own, dist/ is laid out like the clone, and
// neither the built commands nor their manifest are found by the clone.
const { name, version, description, license, type, oclif } = JSON.parse(readFileSync("package.json", "utf8"));
const contents = { name, version, description, license, type, files: ["."], oclif };
writeFileSync("dist/package.json", `${JSON.stringify(contents, null, 2)}\n`);
run("oclif", "manifest", "dist");

/** Runs a program of node_modules/.bin, which npm puts first in the PATH; exits with its code on failure. */
function run(program: string, ...parameters: string[]): void {
  // Its output goes to stderr: stdout is reserved for "npm pack --json".
  const { status, error } = spawnSync(program, parameters, {
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
