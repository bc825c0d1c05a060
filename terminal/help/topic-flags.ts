/** A topic takes no flag but those of help: oclif by itself ignores any other. */
import type { Hook } from "@oclif/core";

const helpFlags = new Set(["--help", "-h"]);

/** oclif hook that runs before every command (package.json registers it). */
export const init: Hook.Init = async ({ id = "", argv, config }) => {
  const flag = argv.find((word) => word.startsWith("-"));
  if (flag === undefined || config.findCommand(id) !== undefined || config.findTopic(id) === undefined) return;
  if (argv.some((word) => helpFlags.has(word))) return;
  const { refuseUnknown } = await import("./unknown-command.ts");
  refuseUnknown([...id.split(":"), flag], config, { json: argv.includes("--json") });
};
