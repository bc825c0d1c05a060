/** `crm` without a command, with an unknown one, and with common words such as help and version. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import description from "../../package.json" with { type: "json" };
import { runInSession } from "../support/terminal-session.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "crm-door-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Without those that are commands as well. */
const topics = Object.keys(description.oclif.topics).filter((topic) => topic !== "backup" && topic !== "search");
const crm = (...parameters: string[]) => runInSession(parameters, { directory });

test.each<[spellings: string[][], shows: RegExp]>([
  [[[], ["-h"], ["--help"], ["help"]], /^A self-hosted CRM [^]*USAGE\n {2}\$ crm COMMAND\n[^]*TOPICS\n[^]*COMMANDS\n/],
  [[["-v"], ["--version"], ["version"]], /^crm\/\S+ \S+ node-v\S+\n$/],
  [[["contacts"], ["contacts", "-h"], ["help", "contacts"]], /\$ crm contacts COMMAND\n[^]*contacts import/],
  [
    [
      ["contacts", "import", "-h"],
      ["contacts", "import", "--help"],
      ["help", "contacts", "import"],
    ],
    /\$ crm contacts import FILE /,
  ],
])("crm %j are one and the same", async (spellings, shows) => {
  const [first, ...others] = await Promise.all(spellings.map((parameters) => crm(...parameters)));
  expect(first).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(shows) });
  for (const other of others) expect(other).toEqual(first);
  expect(await readdir(directory)).toEqual([]);
});

test("crm version --json and crm help --json are for programs", async () => {
  expect(JSON.parse((await crm("version", "--json")).stdout)).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  });
  const listed = JSON.parse((await crm("help", "tags", "--json")).stdout);
  expect(listed).toContainEqual({ command: "tags list", summary: "Lists the tags of a workspace by name." });
});

const unknown = (asked: string, hint: string, topic = "") =>
  `"crm ${asked}" is not a command.${hint} crm ${topic}--help lists all commands.`;

test.each([
  [["contact"], unknown("contact", ' Did you mean "crm contacts"?')],
  [
    ["contacts", "exprt", "--location", "1"],
    unknown("contacts exprt", ' Did you mean "crm contacts export"?', "contacts "),
  ],
  [["sevre", "--port", "80"], unknown("sevre", ' Did you mean "crm serve"?')],
  [["help", "contats"], unknown("contats", ' Did you mean "crm contacts"?')],
  [["contats", "--help"], unknown("contats", ' Did you mean "crm contacts"?')],
  [["xylophone"], unknown("xylophone", "")],
  [["--port", "80"], "--port is not a flag of crm; put flags after the command. crm --help lists all commands."],
  [
    ["tasks", "--nonsense"],
    "--nonsense is not a flag of crm tasks; put flags after the command. crm tasks --help lists all commands.",
  ],
  [
    ["contacts", "--location", "1"],
    "--location is not a flag of crm contacts; put flags after the command. crm contacts --help lists all commands.",
  ],
])("crm %j is wrong usage, told in one line", async (parameters, sentence) => {
  expect(await crm(...parameters)).toMatchObject({ code: 2, stdout: "", stderr: `Error: ${sentence}\n` });
  const told = await crm(...parameters, "--json");
  expect({ ...told, stdout: JSON.parse(told.stdout) }).toMatchObject({
    code: 2,
    stdout: { error: { message: sentence } },
    stderr: `Error: ${sentence}\n`,
  });
});

test.each(topics)("crm %s takes the flags of help alone", async (topic) => {
  const shown = await crm(topic, "--help");
  expect(shown).toMatchObject({ code: 0, stderr: "" });
  expect(await crm(topic)).toEqual(shown);
  expect(await crm(topic, "-h")).toEqual(shown);
  for (const flag of ["--nonsense", "-x", "--json", "--version"])
    expect(await crm(topic, flag)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${flag} is not a flag of`),
    });
});
