// Judges the Node this process runs on, and continues on the one that npm installs with the code.
// Plain old JavaScript: Node 18 must be able to read it.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const oldestMajor = 24;

/** Whether this very process runs on Node 24 or newer. */
export function isNodeRecentEnough() {
  return Number.parseInt(process.versions.node, 10) >= oldestMajor;
}

/** Goes on with the same parameters on the local Node, and ends as that ends; without a local Node, says so and exits 1. */
export function continueOnLocalNode() {
  const localNode = findLocalNode();
  if (localNode === undefined) {
    console.error(`Error: crm needs Node ${oldestMajor} or newer; this is Node ${process.versions.node}.`);
    process.exit(1);
  }
  const script = fileURLToPath(new URL("launched.js", import.meta.url));
  // The channel closes with this process, even one that is killed: the child hears of it (launched.js).
  const child = spawn(localNode, [script, ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });

  child.on("error", (error) => {
    console.error(`Error: crm needs Node ${oldestMajor} or newer; ${localNode} did not start: ${error.message}.`);
    process.exit(1);
  });
  for (const signal of /** @type {const} */ (["SIGTERM", "SIGINT", "SIGHUP"])) {
    // A Ctrl-C on a terminal reaches the whole group, the child included, which takes both for one (terminal/signals.ts).
    process.on(signal, () => child.kill(signal));
  }
  child.on("exit", (code, signal) => {
    // Ended by a signal: told the way shells tell it.
    process.exit(signal === null ? code : 128 + constants.signals[signal]);
  });
}

/** The program of the npm package "node": below the code in a clone, mostly beside it where crm is itself a package. */
function findLocalNode() {
  const folders = createRequire(import.meta.url).resolve.paths("node") || [];
  return folders.map((folder) => join(folder, "node/bin/node")).find((path) => existsSync(path));
}
