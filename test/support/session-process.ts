/**
 * Runs one command line after another, each as bin/crm.js does: with an environment, a folder and a stdin of its own, to its exit code.
 * It also waits, as a process would, until nothing of the command keeps it from ending. For terminal-session.ts.
 */
import { Console } from "node:console";
import { setTimeout as sleep } from "node:timers/promises";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { execute, settings } from "@oclif/core";

/** Sent to this process. */
export interface CommandLine {
  readonly parameters: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly input: string;
}

/** Sent back. */
export interface CommandEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Until Node is told of a connection that was closed some milliseconds pass; what holds a command longer would hold a process. */
const lookPause = 2;

const root = fileURLToPath(new URL("../../", import.meta.url));
const ownEnvironment = { ...process.env };
const events = ["exit", "SIGINT", "SIGTERM", "SIGHUP"] as const;

settings.enableAutoTranspile = false;

/** What keeps the process from ending, by kind. */
function holding(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** A stream as of a pipe, which keeps what is written to it. */
function capture(): { stream: Writable; text(): string } {
  const pieces: Buffer[] = [];
  const stream = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(pieces).toString() };
}

/** Puts `value` in the place of a property that has but a getter. */
function replace(name: "stdin" | "stdout" | "stderr", value: Readable | Writable): void {
  Object.defineProperty(process, name, { value, configurable: true });
}

async function run({ parameters, environment, directory, input }: CommandLine): Promise<CommandEnd> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, ownEnvironment, environment);
  process.chdir(directory);
  const [stdout, stderr] = [capture(), capture()];
  replace("stdin", Readable.from(input === "" ? [] : [input]));
  replace("stdout", stdout.stream);
  replace("stderr", stderr.stream);
  globalThis.console = new Console(stdout.stream, stderr.stream);
  const listening = new Map(events.map((event) => [event, process.rawListeners(event)]));
  process.exitCode = undefined;
  let exited: number | undefined;
  process.exit = ((code?: number) => void (exited ??= code ?? 0)) as typeof process.exit;
  const before = holding();

  await execute({ args: [...parameters], dir: root, loadOptions: { root, userPlugins: false } });
  const isHeld = () => [...holding()].some(([kind, count]) => count > (before.get(kind) ?? 0));
  // oclif ends the process after an error, whatever is still open.
  while (exited === undefined && isHeld()) await sleep(lookPause, undefined, { ref: false });

  const code = exited ?? Number(process.exitCode ?? 0);
  for (const event of events) {
    for (const listener of process.rawListeners(event)) {
      if (listening.get(event)!.includes(listener)) continue;
      if (event === "exit") Reflect.apply(listener, process, [code]);
      process.off(event, listener as () => void);
    }
  }
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

process.on("warning", (warning) => process.stderr.write(`${warning.stack ?? warning.message}\n`));
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
process.on("message", (line: CommandLine) => void run(line).then((end) => process.send!(end)));
