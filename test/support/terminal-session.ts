/** Runs command lines one after the other in one process, which is started with the first and ends with the tests: a start takes longer than most verbs. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { repository } from "./node-process.ts";
import type { Finished, ProcessOptions } from "./node-process.ts";
import type { CommandEnd, CommandLine } from "./session-process.ts";

let child: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();
process.on("exit", () => child?.kill("SIGKILL"));

/** As `runCrm`, where nothing is asked of the process itself: no signals, no terminal, no second one at the same time. */
export function runInSession(
  parameters: readonly string[],
  { environment = {}, directory = repository, input = "", timeoutSeconds = 30 }: ProcessOptions = {},
): Promise<Finished> {
  const own = Object.keys(environment).find((name) => !name.startsWith("CRM_"));
  if (own !== undefined) throw new Error(`${own} is read by a process when it starts: use runCrm`);
  const line: CommandLine = { parameters, environment, directory, input };
  const finished = last.then(() => run(line, timeoutSeconds));
  last = finished.catch(() => {});
  return finished;
}

function start(): ChildProcess {
  const { PATH, HOME, TMPDIR } = process.env;
  return spawn(process.execPath, [join(import.meta.dirname, "session-process.ts")], {
    env: { PATH, HOME, TMPDIR },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}

function run(line: CommandLine, timeoutSeconds: number): Promise<Finished> {
  const running = (child ??= start());
  return new Promise((resolve, reject) => {
    const told = `crm ${line.parameters.join(" ")}`;
    const timer = setTimeout(() => {
      running.kill("SIGKILL");
      reject(new Error(`Not finished after ${timeoutSeconds} s: ${told}`));
    }, timeoutSeconds * 1000);
    const ended = (): void => {
      child = undefined;
      clearTimeout(timer);
      reject(new Error(`The process ended in the middle of: ${told}`));
    };
    running.once("exit", ended);
    running.once("message", (end: CommandEnd) => {
      clearTimeout(timer);
      running.off("exit", ended);
      resolve({ ...end, signal: null });
    });
    running.send(line);
  });
}
