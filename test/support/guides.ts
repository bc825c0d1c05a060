/** Executes the guides of README and docs/: the blocks of commands, and the expected output below them. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { freePort } from "./free-port.ts";
import { repository, startNode } from "./node-process.ts";

/** A block of commands, and the text that is shown below it. */
export interface Step {
  readonly command: string;
  readonly shows: string;
}

/** Every ```sh block of `text`, with the ```text block that follows it, if one does before the next command. */
export function stepsOf(text: string): Step[] {
  const steps: { command: string; shows: string }[] = [];
  for (const [, kind, content] of text.matchAll(/^```(sh|text)\n([^]*?)^```$/gm)) {
    if (kind === "sh") steps.push({ command: content!, shows: "" });
    else steps.at(-1)!.shows = content!;
  }
  return steps;
}

/** The steps between the marks of that name in a file of the repository. */
export function stepsBetween(file: string, name: string): Step[] {
  const text = readFileSync(join(repository, file), "utf8");
  return stepsOf(new RegExp(`<!-- ${name}: begin -->([^]*)<!-- ${name}: end -->`).exec(text)?.[1] ?? "");
}

/** `…` stands for anything within a line; a line of it alone for any number of lines. */
export function toPattern(shown: string): RegExp {
  const lines = shown.split("\n").map((line) =>
    line === "…"
      ? "[^]*"
      : line
          .split("…")
          .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
          .join(".*"),
  );
  return new RegExp(`^${lines.join("\n")}$`);
}

/** How a guide says which program `crm` is in a clone, and what it says to put there with the package. */
export const inClone = `crm() { node bin/crm.js "$@"; }\n`;
export const withPackage = `crm() { npx crm "$@"; }\n`;

/** Where a guide is followed. */
export interface Ground {
  readonly directory: string;
  /** Of the service, which runs. */
  readonly port: string;
  readonly crm?: string;
}

/** Each look starts a process. */
const patience = { timeout: 120_000, interval: 500 };

/** Runs a script of bash in the folder; resolves to what it prints on stdout. */
export async function runScript(
  { directory, port, crm = inClone }: Ground,
  script: string,
  environment = {},
): Promise<string> {
  const { PATH, HOME, TMPDIR } = process.env;
  const options = {
    cwd: directory,
    env: { PATH, HOME, TMPDIR, CRM_PORT: port, ...environment },
    timeout: 300_000,
  };
  const text = `set -eu -o pipefail\n${script.replaceAll(inClone, crm)}`;
  return (await promisify(execFile)("bash", ["-c", text], options)).stdout;
}

/** Follows the guide of docs/workflows.md about a gateway that is down: the run waits for its channel, and continues; a stranger who calls becomes a contact. */
export async function followTextBackGuide(ground: Ground): Promise<void> {
  const [setUp, call, look, resume, after, stranger] = stepsBetween("docs/workflows.md", "text-back");
  let kept = setUp!.command.split("\n").slice(0, 2).join("\n");
  const run = (script: string): Promise<string> => runScript(ground, `${kept}\n${script}`);
  const made = await run(`${setUp!.command}declare -p calls texts textback | sed 's/^declare -- //'`);
  kept += `\n${[...made.matchAll(/^(?:calls|texts|textback)="\d+"$/gm)].join("\n")}`;
  await run(call!.command);
  await expect.poll(() => run(look!.command), patience).toMatch(toPattern(look!.shows));
  await run(resume!.command);
  const [findRun] = look!.command.split("\n");
  await expect.poll(() => run(`${findRun}\n${after!.command}`), patience).toMatch(toPattern(after!.shows));
  const findInbound = call!.command.split("\n").find((line) => line.startsWith("inbound="));
  expect(`${await run(`${findInbound}\n${stranger!.command}`)}\n`).toMatch(toPattern(stranger!.shows));
}

/** Follows the guide of docs/workflows.md to its end: a lead is welcomed by mail, answers, and the run ends as replied. */
export async function followWorkflowsGuide(ground: Ground): Promise<void> {
  const [setUp, submit, show, answer, look] = stepsBetween("docs/workflows.md", "guide");
  const mailPort = String(await freePort());
  // What one terminal keeps from block to block.
  let kept = setUp!.command.split("\n").slice(0, 2).join("\n");
  const run = (script: string): Promise<string> =>
    runScript(ground, `${kept}\n${script}`.replaceAll("localhost:1025", `localhost:${mailPort}`));

  await using catcher = startNode([join(ground.directory, "examples/workflows/mail-catcher.js"), mailPort], {
    timeoutSeconds: 600,
  });
  await catcher.match(/Catching mail/);

  const tried = await run(`${setUp!.command}declare -p mary desk workflow | sed 's/^declare -- //'`);
  expect(tried).toMatch(/greet +send "Thank you, Mary" on channel \d+\n/);
  expect(tried).toMatch(/hand_over +create task "Call Mary Somerville, who has not answered", due in 1d\n/);
  expect(catcher.printed().stdout).not.toContain("mary@example.com");
  kept += `\n${[...tried.matchAll(/^(?:mary|desk|workflow)="\d+"$/gm)].join("\n")}`;

  await run(submit!.command);
  await catcher.match(/── to mary@example\.com\n[^]*Subject: Thank you, Mary[^]*Hello Mary,/);
  await expect.poll(() => run(show!.command), patience).toMatch(toPattern(show!.shows));

  await run(answer!.command);
  await expect.poll(() => run(look!.command), patience).toMatch(/completed +listen +- +- +- +replied/);
  const story = await run(look!.command);
  for (const told of ["form.submitted", "run_started", "message.sent", "message.received", "run_finished"])
    expect(story).toContain(told);
}
