// Checks the version of Node; an older one runs the command with the Node that npm installed with the code. Plain
// JavaScript that Node 18 can read.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const oldestMajor = 24;

/** Whether this process runs on Node 24 or newer. */
export function isNodeRecentEnough() {
  return Number.parseInt(process.versions.node, 10) >= oldestMajor;
}

/**
 * Runs the same command with the local Node and exits like it; without a local Node, prints an error and exits with 1.
 */
export function continueOnLocalNode() {
  const localNode = findLocalNode();
  if (localNode === undefined) {
    const isClone = existsSync(new URL("../commands", import.meta.url));
    const advice = isClone
      ? `Run "npm ci", which installs Node ${oldestMajor} beside the code.`
      : "Install a newer Node.";
    console.error(`Error: crm needs Node ${oldestMajor} or newer; this is Node ${process.versions.node}. ${advice}`);
    process.exit(1);
  }
  const script = fileURLToPath(new URL("launched.js", import.meta.url));
  // The channel closes when this process exits, even by kill: the child notices (launched.js).
  const child = spawn(localNode, [script, ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });

  child.on("error", (error) => {
    console.error(`Error: crm needs Node ${oldestMajor} or newer; ${localNode} did not start: ${error.message}.`);
    process.exit(1);
  });
  for (const signal of /** @type {const} */ (["SIGTERM", "SIGINT", "SIGHUP"])) {
    // Ctrl-C reaches the whole process group including the child, which treats both as one (terminal/signals.ts).
    process.on(signal, () => child.kill(signal));
  }
  child.on("exit", (code, signal) => {
    // Ended by a signal: reported like a shell does.
    process.exit(signal === null ? code : 128 + constants.signals[signal]);
  });
}

/** The binary of the npm package "node": below the code in a clone, usually beside it in an installed package. */
function findLocalNode() {
  const folders = createRequire(import.meta.url).resolve.paths("node") || [];
  return folders.map((folder) => join(folder, "node/bin/node")).find((path) => existsSync(path));
}
