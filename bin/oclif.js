// Hands the command line over to oclif, which finds the verbs in commands/: in place in a clone, built in a package.
import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Compiled modules are kept between starts; what cannot be cached is simply compiled again.
enableCompileCache();

const { execute, settings } = await import("@oclif/core");

let hasSeenEnough = false;

// oclif throws what stdout says, with its stack, and would wait for a reader who has seen enough (EPIPE), such as `head`.
process.stdout.prependListener("error", (/** @type {NodeJS.ErrnoException} */ error) => {
  if (error.code === "EPIPE") {
    if (!hasSeenEnough) process.once("beforeExit", () => process.exit());
    hasSeenEnough = true;
    return;
  }
  console.error(`Error: The result cannot be written to stdout: ${error.message}.`);
  process.exit(1);
});
// A log that cannot be written ends nothing.
process.stderr.on("error", () => {});

// Node itself runs the .ts files; with NODE_ENV=test oclif would go looking for tsx and ts-node.
settings.enableAutoTranspile = false;

// What is written comes before what is built: a dist/ that was left behind in a clone must not be what runs there.
const isClone = existsSync(new URL("../commands", import.meta.url));

const dir = fileURLToPath(new URL(isClone ? "../" : "../dist/", import.meta.url));
// A package carries the list of its commands; a clone keeps its own.
const plugins = isClone ? await (await import("./command-list.js")).loadPlugins(dir) : undefined;
// CRM_DATA_DIR happens to be oclif's name for a folder of plugins, too: nothing that lies among the data is ever run.
await execute({ dir, loadOptions: { root: dir, plugins, userPlugins: false } });
