// Runs oclif, which loads the commands from commands/ in a clone and from dist/ in a package.
import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Caches compiled modules between starts; a failure to cache is harmless.
enableCompileCache();

const { execute, settings } = await import("@oclif/core").catch((/** @type {NodeJS.ErrnoException} */ error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  console.error('Error: The packages that crm needs are not installed. Run "npm ci".');
  process.exit(1);
});

let hasSeenEnough = false;

// oclif would throw an error of stdout with a stack trace; EPIPE means that the reader, such as `head`, has closed the
// pipe.
process.stdout.prependListener("error", (/** @type {NodeJS.ErrnoException} */ error) => {
  if (error.code === "EPIPE") {
    if (!hasSeenEnough) process.once("beforeExit", () => process.exit());
    hasSeenEnough = true;
    return;
  }
  console.error(`Error: The result cannot be written to stdout: ${error.message}.`);
  process.exit(1);
});
// A log that cannot be written is ignored.
process.stderr.on("error", () => {});

// Node itself runs the .ts files; with NODE_ENV=test oclif would go looking for tsx and ts-node.
settings.enableAutoTranspile = false;

// Sources take precedence: a stale dist/ in a clone must not run.
const isClone = existsSync(new URL("../commands", import.meta.url));

const dir = fileURLToPath(new URL(isClone ? "../" : "../dist/", import.meta.url));
// A package includes the list of its commands; a clone caches its own.
const plugins = isClone ? await (await import("./command-list.js")).loadPlugins(dir) : undefined;
// CRM_DATA_DIR is also oclif's variable for a plugin folder: nothing in the data folder may be executed.
await execute({ dir, loadOptions: { root: dir, plugins, userPlugins: false } });
