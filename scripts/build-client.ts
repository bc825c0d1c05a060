/**
 * Builds `crm-client` for its package, as ES modules and as CommonJS, each with its types: `npm run build --workspace client`.
 * An argument is the folder for them, instead of client/dist.
 */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = join(import.meta.dirname, "..");
const target = resolve(process.argv[2] ?? join(root, "client/dist"));
rmSync(target, { recursive: true, force: true });

const builds = {
  esm: ["--module", "esnext"],
  cjs: ["--module", "commonjs", "--verbatimModuleSyntax", "false"],
};
for (const [kind, options] of Object.entries(builds)) {
  const folder = join(target, kind);
  const { status, error } = spawnSync(
    "tsc",
    ["-p", join(root, "client/tsconfig.build.json"), "--outDir", folder, ...options],
    { stdio: ["ignore", 2, 2], shell: process.platform === "win32" },
  );
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
  // TypeScript leaves the imports of declarations as they are written; those before 5.7 do not find them so.
  for (const path of globSync("**/*.d.ts", { cwd: folder }).map((name) => join(folder, name)))
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(/(?<=(?:from|import\() ?"\.[^"]*)\.ts(?=")/g, ".js"));
}
// Below a package of ES modules.
writeFileSync(join(target, "cjs/package.json"), '{ "type": "commonjs" }\n');
