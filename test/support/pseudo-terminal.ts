/** `crm` on a terminal: a real one as programs see it, made by script(1). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startProcess } from "./node-process.ts";
import type { RunningProcess } from "./node-process.ts";
import type { Terminal } from "./terminal.ts";

const executable = join(import.meta.dirname, "../../bin/crm.js");

export interface Watched {
  readonly process: RunningProcess;
  /** SIGINT to `crm` alone. */
  interrupt(): void;
  /** A signal to the process that was started, or to its whole process group. */
  signal(signal: NodeJS.Signals, group?: "group"): void;
  /** The terminal sends SIGINT to the whole process group; stdin has to have been left open. */
  pressCtrlC(): void;
}

/** Starts `crm` where stdin, stdout and stderr are a terminal of `columns`; `redirect` is what a shell would be told after it. */
export function startOnTerminal(
  terminal: Pick<Terminal, "directory" | "environment">,
  parameters: readonly string[],
  {
    columns,
    redirect = "",
    environment = {},
    input = "",
    staysOpen = false,
    program = [process.execPath, executable],
    workingDirectory = terminal.directory,
    timeoutSeconds = 60,
  }: {
    columns: number;
    redirect?: string;
    environment?: Record<string, string>;
    input?: string;
    staysOpen?: boolean;
    /** The words that start `crm`. */
    program?: readonly string[];
    workingDirectory?: string;
    timeoutSeconds?: number;
  },
): Watched {
  const pidFile = join(terminal.directory, "pid");
  const words = [...program, ...parameters].map((word) => `'${word}'`).join(" ");
  const line = `stty cols ${columns}; echo $$ > '${pidFile}'; exec ${words} ${redirect}`;
  const running = startProcess("script", ["--quiet", "--return", "--command", line, "/dev/null"], {
    environment: { TERM: "xterm", SHELL: "/bin/sh", ...terminal.environment, ...environment },
    directory: workingDirectory,
    // What is typed, ahead of the questions.
    input,
    staysOpen,
    timeoutSeconds,
  });
  // The shell leads the process group of the terminal, and the program takes its place.
  const signal: Watched["signal"] = (name, group) => {
    const pid = Number(readFileSync(pidFile, "utf8"));
    process.kill(group === undefined ? pid : -pid, name);
  };
  return { process: running, signal, interrupt: () => signal("SIGINT"), pressCtrlC: () => running.type("\u0003") };
}

/** What was written on a terminal, where `⌫` stands for going back to the beginning of the line and erasing it. */
export function readable(output: string): string {
  return output.replaceAll("\r\u001B[K", "⌫");
}

/** Each state that the last line was in, and those that were left standing. */
export function drawnLines(output: string): string[] {
  return readable(output)
    .split(/⌫|\r\n/)
    .filter((line) => line !== "");
}
