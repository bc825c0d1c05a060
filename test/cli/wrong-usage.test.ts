/** What goes wrong on the command line is told in one sentence that names what was wrong, with the exit code that says whose it was. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { startCrm } from "../support/node-process.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";
import { runInSession } from "../support/terminal-session.ts";

const executable = join(import.meta.dirname, "../../bin/crm.js");

describe("before anything is opened", () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "crm-usage-"));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const port = "a whole number from 0 to 65535";
  const id = "an id, a whole number from 1";
  const schedule = "a cron expression of five fields, or of six with seconds first";

  test.each<[string, string[], Record<string, string>, 1 | 2, string]>([
    ["a flag", ["serve", "--port", "x"], {}, 2, `--port is "x"; expected ${port}.`],
    [
      "the same in the environment",
      ["serve"],
      { CRM_PORT: "x" },
      1,
      `CRM_PORT from the environment is "x"; expected ${port}.`,
    ],
    ["a flag with a name of its own", ["worker", "--cron", "bad"], {}, 2, `--cron is "bad"; expected ${schedule}.`],
    ["a record", ["tasks", "list", "--contact", "abc"], {}, 2, `--contact is "abc"; expected ${id}.`],
    [
      "a place, as JSON",
      ["keys", "list", "--workspace", "", "--json"],
      {},
      2,
      '--workspace is ""; expected an id or a name.',
    ],
    ["an argument", ["contacts", "show", "abc"], {}, 2, `ID is "abc"; expected ${id}.`],
    [
      "an address",
      ["health", "--url", "nonsense"],
      {},
      2,
      '--url is "nonsense"; expected an http:// or https:// address.',
    ],
    [
      "a flag that there is not",
      ["contacts", "export", "--loction", "1"],
      {},
      2,
      "--loction is not a flag of crm contacts export. Did you mean --location? crm contacts export --help lists all flags.",
    ],
    [
      "the beginning of a flag",
      ["contacts", "import", "x.csv", "--dry", "--json"],
      {},
      2,
      "--dry is not a flag of crm contacts import. Did you mean --dry-run? crm contacts import --help lists all flags.",
    ],
    ["no argument", ["contacts", "show"], {}, 2, "Missing: ID. See crm contacts show --help."],
    [
      "an argument too many",
      ["contacts", "show", "1", "2"],
      {},
      2,
      "Too many arguments for crm contacts show: 2. See crm contacts show --help.",
    ],
    [
      "an argument where none is taken",
      ["contacts", "export", "people.csv"],
      {},
      2,
      "Too many arguments for crm contacts export: people.csv. See crm contacts export --help.",
    ],
    [
      "an argument of a few words",
      ["migrate", "upp"],
      {},
      2,
      'DIRECTION is "upp"; expected one of up, down, status. Did you mean up?',
    ],
    ["no flag", ["users", "invite", "x@y.co"], {}, 2, "Missing: --role. See crm users invite --help."],
    [
      "a flag without its value",
      ["contacts", "export", "--location"],
      {},
      2,
      "--location needs a value. See crm contacts export --help.",
    ],
    [
      "a flag without its word",
      ["users", "invite", "x@y.co", "--role", "--json"],
      {},
      2,
      "--role needs a value, one of owner, manager, member.",
    ],
    [
      "a word that a flag does not know",
      ["users", "invite", "x@y.co", "--role", "mangaer"],
      {},
      2,
      '--role is "mangaer"; expected one of owner, manager, member. Did you mean manager?',
    ],
    [
      "a flag twice",
      ["contacts", "export", "--location", "1", "--location", "2"],
      {},
      2,
      "--location is given more than once; expected one value.",
    ],
    [
      "a port that browsers refuse",
      ["serve", "--port", "6000"],
      {},
      1,
      "Port 6000 is reserved for another protocol and blocked by browsers: choose another (--port, CRM_PORT).",
    ],
    [
      "empty answers",
      ["setup", "--workspace", "", "--location", " ", "--owner-email", "ada@acme.example"],
      {},
      2,
      "Empty: --workspace, --location.",
    ],
  ])("%s: crm %j", async (_what, parameters, environment, code, sentence) => {
    const refused = await runInSession(parameters, { directory, environment });
    expect(refused).toMatchObject({ code, stderr: `Error: ${sentence}\n` });
    const answer = parameters.includes("--json") ? JSON.parse(refused.stdout) : refused.stdout;
    expect(answer).toEqual(parameters.includes("--json") ? { error: { message: sentence } } : "");
  });

  test("a variable that claims to be a setting and is none is warned of, and nothing else changes", async () => {
    const shown = await runInSession(["config", "show", "--json"], { directory, environment: { CRM_PROT: "80" } });
    const sentence =
      "CRM_PROT in the environment is not a setting. Did you mean CRM_PORT? crm config show lists all settings.";
    expect(JSON.parse(shown.stderr)).toEqual({ time: expect.any(String), level: "warn", message: sentence });
    expect(shown.code).toBe(0);
    expect(JSON.parse(shown.stdout)).toContainEqual(expect.objectContaining({ name: "CRM_PORT", value: "3000" }));
  });

  test("a database with nothing in it is told apart from one that is behind", async () => {
    const environment = { CRM_DATABASE_URL: "sqlite:empty.db" };
    await writeFile(join(directory, "empty.db"), "");
    const refused = await runInSession(["contacts", "export"], { directory, environment });
    const sentence = 'The database is empty: run "crm setup" (or "crm serve") first.';
    expect(refused).toMatchObject({ code: 1, stdout: "", stderr: `Error: ${sentence}\n` });
  });
});

describe("where there is no workspace yet", () => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await createTerminal("sqlite");
    await using serve = startCrm(["serve", "--no-setup", "--port", "0"], { environment: terminal.environment });
    await serve.match(/crm listening/);
  });
  afterAll(() => terminal?.close());

  test.each([[["contacts", "export"]], [["keys", "list"]], [["locations", "list", "--json"]]])(
    "crm %j says what makes the first",
    async (parameters) => {
      const sentence = 'There is no workspace yet: run "crm setup" (or "crm serve") first.';
      expect(await terminal.run(parameters)).toMatchObject({ code: 1, stderr: `Error: ${sentence}\n` });
    },
  );

  test("a list of none says it as well", async () => {
    expect(await terminal.run(["workspaces", "list"])).toMatchObject({
      code: 0,
      stdout: "No workspaces yet. Set up the first: crm setup\n",
    });
    expect(await terminal.json("workspaces", "list")).toEqual([]);
  });
});

describe("an answer that cannot be written", () => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await createTerminal("sqlite");
    await setUpAcme(terminal);
  });
  afterAll(() => terminal?.close());

  const verbs = [
    ["keys", "list"],
    ["keys", "list", "--json"],
    ["contacts", "export"],
    ["contacts", "export", "--json"],
    ["--help"],
  ];
  const aFewOf = (name: string) => sampleOf(name, 2, verbs).map((verb) => [verb]);

  /** Runs `crm` with `stdout`, and closes that at once where it is a pipe. */
  async function write(parameters: readonly string[], stdout: number | "pipe") {
    const { PATH, HOME } = process.env;
    const child = spawn(process.execPath, [executable, ...parameters], {
      stdio: ["ignore", stdout, "pipe"],
      env: { PATH, HOME, ...terminal.environment },
      timeout: 30_000,
    });
    child.stdout?.destroy();
    let stderr = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const [code] = await once(child, "close");
    return { code, stderr };
  }

  test.each(aFewOf("full disks"))("crm %j > /dev/full: one sentence", async (verb) => {
    expect(await write(verb, openSync("/dev/full", "w"))).toEqual({
      code: 1,
      stderr: "Error: The result cannot be written to stdout: ENOSPC: no space left on device, write.\n",
    });
  });

  test.each(aFewOf("readers that are gone"))("crm %j, read by nobody: not a word", async (verb) => {
    expect(await write(verb, "pipe")).toEqual({ code: 0, stderr: "" });
  });

  test("a backup that nobody reads to its end is told as what it is, and not as a lost database", async () => {
    expect(await write(["backup", "-"], "pipe")).toEqual({
      code: 1,
      stderr: "Error: The backup is cut off: its reader has ended (EPIPE).\n",
    });
  });
});
