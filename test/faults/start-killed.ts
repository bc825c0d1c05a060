/** Starts a command that kills itself at a step of its database: `before 5 commit` (kill-at.ts). */
import { join } from "node:path";
import { startCrm } from "../support/node-process.ts";
import type { RunningProcess } from "../support/node-process.ts";
import type { TestedSystem } from "./tested-system.ts";

export function startKilled(system: TestedSystem, point: string, ...parameters: readonly string[]): RunningProcess {
  return startCrm(parameters, {
    directory: system.place.directory,
    timeoutSeconds: 60,
    environment: {
      ...system.environment,
      NODE_OPTIONS: `--import ${join(import.meta.dirname, "kill-at.ts")}`,
      KILL_AT: point,
    },
  });
}
