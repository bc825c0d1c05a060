/** `--help` of every command: with examples, as wide as the terminal, without opening a database. */
import { readdirSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startOnTerminal } from "../support/pseudo-terminal.ts";
import { runInSession } from "../support/terminal-session.ts";

const folder = join(import.meta.dirname, "../../commands");
const commands = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => path.replace(/\.ts$/, "").split("/"));

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "crm-help-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test.each(commands.map((command) => [command.join(" "), command] as const))("crm %s --help", async (name, command) => {
  const { code, stdout, stderr } = await runInSession([...command, "--help"], { directory });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain(`$ crm ${name}`);
  expect(stdout).toContain("EXAMPLES");
  expect(stdout).toMatch(/^ +--json /m);
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  expect(await readdir(directory)).toEqual([]);
});

test.each([
  ["fits the terminal", 50, {}, 50],
  ["of two widths the terminal's counts", 50, { COLUMNS: "60" }, 50],
  ["fits COLUMNS where the terminal has no size", 0, { COLUMNS: "60" }, 60],
  ["has 80 columns where that is none", 0, { COLUMNS: "wide" }, 80],
])("on a terminal it %s", async (_what, columns, environment, widest) => {
  const watched = startOnTerminal({ directory, environment }, ["contacts", "import", "--help"], { columns });
  await using narrow = watched.process;
  const { code, stdout } = await narrow.finished;
  const lines = stripVTControlCharacters(stdout).split("\r\n");
  expect({ code, widest: Math.max(...lines.map((line) => line.length)) }).toEqual({ code: 0, widest });
});
