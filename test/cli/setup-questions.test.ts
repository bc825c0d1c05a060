/** `crm setup` on a terminal: what it asks, that no answer is lost to another, and what it says to do next. */
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { startNode } from "../support/node-process.ts";
import { startOnTerminal } from "../support/pseudo-terminal.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

// Each starts several processes.
vi.setConfig({ testTimeout: 60_000 });

let terminal: Terminal;
beforeEach(async () => {
  terminal = await createTerminal("sqlite");
});
afterEach(() => terminal.close());

const berlin = { TZ: "Europe/Berlin", LANG: "en_US.UTF-8" };

async function answer(parameters: string[], answers: string[], environment: Record<string, string> = berlin) {
  const input = answers.map((text) => `${text}\n`).join("");
  const { process } = startOnTerminal(terminal, ["setup", ...parameters], { columns: 120, environment, input });
  const { code, stdout } = await process.finished;
  return { code, said: stripVTControlCharacters(stdout).replaceAll("\r\n", "\n") };
}

/** How often each question was put, in the order of the first time. */
function asked(said: string): Record<string, number> {
  const questions = said.match(/(?:Name|E-mail|Time zone|Country) of [^:\n]*(?=: )/g) ?? [];
  return Object.fromEntries(
    [...new Set(questions)].map((text) => [text, questions.filter((one) => one === text).length]),
  );
}

const questions = {
  workspace: "Name of the workspace, such as the company",
  location: "Name of its first location, such as the street or the town",
  owner: "E-mail of the owner",
  timezone: "Time zone of the location [Europe/Berlin]",
  country: "Country of the location, used to read phone numbers [DE]",
};

test("an answer that is refused is asked for again, and the others are kept", async () => {
  const { code, said } = await answer(
    [],
    ["", "Acme", "Main Street", "ada", "ada@acme.example", "Mars/Base", "", "Deutschland", "at"],
  );
  expect(code).toBe(0);
  expect(said).toContain("The name field is required.");
  expect(said).toContain("The email field must be a valid email address.");
  expect(said).toContain("The timezone field must be an IANA time zone name, such as America/New_York.");
  expect(said).toContain("The country field must be a two-letter country code, such as US.");
  expect(asked(said)).toEqual({
    [questions.workspace]: 2,
    [questions.location]: 1,
    [questions.owner]: 2,
    [questions.timezone]: 2,
    [questions.country]: 2,
  });
  expect(await terminal.json("workspaces", "list")).toEqual([{ id: 1, name: "Acme" }]);
  expect(await terminal.json("locations", "list")).toMatchObject([{ name: "Main Street", timezone: "Europe/Berlin" }]);
  expect(await terminal.json("users", "list")).toMatchObject([{ email: "ada@acme.example", role: "owner" }]);
});

test("Enter takes what is offered: the machine's time zone, and the country that has it", async () => {
  expect(await answer([], ["Acme", "Main Street", "ada@acme.example", "", ""])).toMatchObject({ code: 0 });
  const dialled = await terminal.json("contacts", "create", "--first-name", "Grace", "--phone", "030 1234567");
  expect(await terminal.json("contacts", "list", "+49 30 1234567")).toMatchObject([{ id: dialled.id }]);
  expect(await terminal.json("locations", "list")).toMatchObject([{ timezone: "Europe/Berlin" }]);
});

test("what was given as a flag is not asked for", async () => {
  const { code, said } = await answer(
    ["--workspace", "Acme", "--timezone", "America/New_York"],
    ["Main Street", "ada@acme.example", ""],
  );
  expect(code).toBe(0);
  expect(Object.keys(asked(said))).toEqual([
    questions.location,
    questions.owner,
    questions.country.replace("DE", "US"),
  ]);
});

test.each([
  ["a flag that is wrong", ["--owner-email", "ada"], 1, "Error: --owner-email must be a valid email address.\n"],
  ["an empty flag", ["--location", ""], 2, "Error: Empty: --location.\n"],
])("%s is refused before anything is asked", async (_what, parameters, code, sentence) => {
  const told = await answer(parameters, ["Acme"]);
  expect(told).toEqual({ code, said: expect.stringMatching(new RegExp(`${sentence}$`)) });
  expect(asked(told.said)).toEqual({});
});

test("a service that is set up already says so at once", async () => {
  await setUpAcme(terminal);
  const { code, said } = await answer([], ["Acme"]);
  expect({ code, asked: asked(said) }).toEqual({ code: 1, asked: {} });
  expect(said).toContain(
    'Error: This service is set up already: use "crm workspaces create" to create another workspace.',
  );
});

const leaving = [
  ["Ctrl-D", "\u0004"],
  ["Ctrl-C", "\u0003"],
] as const;

test.each(sampleOf("keys that leave the questions", 1, leaving))(
  "whoever leaves by %s has set nothing up, and can begin anew",
  async (_key, key) => {
    const watched = startOnTerminal(terminal, ["setup"], { columns: 120, environment: berlin, staysOpen: true });
    await using left = watched.process;
    await left.match(/Name of the workspace/);
    left.type("Acme\r");
    await left.match(/Name of its first location/);
    left.type(key);
    const { code, stdout } = await left.finished;
    expect({ code, said: stdout }).toEqual({ code: 1, said: expect.stringMatching(/Error: Nothing was done\.\r\n$/) });
    expect((await terminal.run(["workspaces", "list"])).stdout).toBe(
      "No workspaces yet. Set up the first: crm setup\n",
    );
    expect(await answer([], ["Acme", "Main Street", "ada@acme.example", "", ""])).toMatchObject({ code: 0 });
  },
);

test("it says what to do next, and the line for curl works", async () => {
  const { code, stdout } = await terminal.run([
    "setup",
    "--workspace",
    "Acme",
    "--location",
    "Main Street",
    "--owner-email",
    "ada@acme.example",
  ]);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    new RegExp(
      String.raw`^Created workspace 1 \(Acme\)\.
Created location 1 \(Main Street\)\.
Created owner 1 \(ada@acme\.example\)\.
The owner sets a password here; the link works once, within a week:
http://127\.0\.0\.1:3000/invitation/crm_invitation_\w{36}
Created API key 1 \(default\)\. It is shown only once:
crm_key_\w{36}

Next:
  crm serve +start the service
  http://127\.0\.0\.1:3000/docs +its reference[^\n]*
  crm users invite EMAIL --role member +add people
  crm contacts import FILE\.csv +import contacts
With the key in a file, KEYFILE:
  sed 's/\^/Authorization: Bearer /' KEYFILE \| curl -s http://127\.0\.0\.1:3000/api/v1/locations -H @-
$`,
    ),
  );
});

test("answers typed ahead are taken after the end of the input", async () => {
  const module = join(import.meta.dirname, "../../terminal/input/questions.ts");
  const script = `
    import { finished } from "node:stream/promises";
    import { openQuestions } from ${JSON.stringify(module)};
    const questions = openQuestions();
    const said = [await questions.ask("First: ")];
    await finished(process.stdin);
    said.push(await questions.ask("Second: "));
    said.push(await questions.ask("Third: ").catch(({ message }) => message));
    console.log(said.join());`;
  const asking = startNode(["--input-type=module-typescript", "--eval", script], { input: "one\ntwo\n" });
  const { stdout, stderr } = await asking.finished;
  expect({ stdout, stderr }).toEqual({ stdout: "one,two,Nothing was done.\n", stderr: "First: Second: Third: " });
});
