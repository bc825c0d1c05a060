/** Real processes for tests: they see only the environment they are given, are bounded in time, and none outlives its test run. */
import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

export const repository = join(import.meta.dirname, "../..");
const executable = join(repository, "bin/crm.js");

/** Options by which Node takes the part of an older one: bin/ asks process.versions alone. The Node that it goes on with is not told. */
export const asNode20 = [
  "--import",
  `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.19.0"})`,
];

export type ProcessOptions = {
  /** Added to PATH, HOME and TMPDIR; nothing else of the test's own environment is handed on. */
  environment?: Record<string, string>;
  /** The working directory; the repository's by default. */
  directory?: string;
  /** What the process reads from stdin, to the end. Without it stdin is empty. */
  input?: string;
  /** Leaves stdin open after `input`, for `type`. */
  staysOpen?: boolean;
  /** After so long the process is killed and waiting for it fails. 30 seconds by default. */
  timeoutSeconds?: number;
};

export type Finished = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

export type RunningProcess = AsyncDisposable & {
  readonly pid: number;
  /** How it ended; fails when it had to be killed for taking too long. */
  readonly finished: Promise<Finished>;
  /** What it has printed so far. */
  printed(): { stdout: string; stderr: string };
  /** The first match in what it prints on stdout or stderr, now or later; fails when it ends without. */
  match(pattern: RegExp): Promise<RegExpMatchArray>;
  signal(signal: NodeJS.Signals): void;
  /** Writes to its stdin, which has to have been left open. */
  type(text: string): void;
};

const alive = new Set<ChildProcessByStdio<Writable, Readable, Readable>>();
process.on("exit", () => alive.forEach((child) => child.kill("SIGKILL")));

/** Runs `crm` with `parameters` to its end. */
export function runCrm(parameters: readonly string[], options: ProcessOptions = {}): Promise<Finished> {
  return startCrm(parameters, options).finished;
}

/** Starts `crm` with `parameters`; `await using` ends it with the test. */
export function startCrm(parameters: readonly string[], options: ProcessOptions = {}): RunningProcess {
  return startNode([executable, ...parameters], options);
}

/** Starts the Node of this test run with `parameters`: the options of Node, a script, its arguments. */
export function startNode(parameters: readonly string[], options: ProcessOptions = {}): RunningProcess {
  return startProcess(process.execPath, parameters, options);
}

/** Starts any `program`. */
export function startProcess(
  program: string,
  parameters: readonly string[],
  { environment = {}, directory, input = "", staysOpen = false, timeoutSeconds = 30 }: ProcessOptions = {},
): RunningProcess {
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(program, parameters, {
    cwd: directory ?? repository,
    env: { PATH, HOME, TMPDIR, ...environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  alive.add(child);
  const printed = { stdout: "", stderr: "" };
  const listeners = new Set<() => void>();
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      printed[stream] += text;
      for (const listener of listeners) listener();
    });
  }
  // A process may end before it has read its input (EPIPE): how it ended is what counts.
  child.stdin.on("error", () => {}).write(input);
  if (!staysOpen) child.stdin.end();

  const told = () => `${program} ${parameters.join(" ")}\n${printed.stdout}${printed.stderr}`;
  const finished = new Promise<Finished>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`Not finished after ${timeoutSeconds} s: ${told()}`));
    }, timeoutSeconds * 1000);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      alive.delete(child);
      resolve({ code, signal, ...printed });
    });
  });
  // `finished` still rejects for its awaiters; without one, an unhandled rejection must not end the test run.
  finished.catch(() => {});

  return {
    pid: child.pid ?? Number.NaN,
    finished,
    printed: () => ({ ...printed }),
    match(pattern) {
      const find = () => printed.stdout.match(pattern) ?? printed.stderr.match(pattern);
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = find();
          if (found) resolve(found);
          return found !== null;
        };
        if (look()) return;
        listeners.add(look);
        finished.then(() => look() || reject(new Error(`Ended without ${pattern}: ${told()}`)), reject);
      });
    },
    signal: (signal) => void child.kill(signal),
    type: (text) => void child.stdin.write(text),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await finished.catch(() => {});
    },
  };
}

/** The exit code by which a shell tells of a process that `signal` ended. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
