/** The rows that an import refuses: all are counted, the first are shown, and `--refused` keeps them to be corrected and imported again. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

let terminal: Terminal;
let path: (name: string) => string;
beforeEach(async () => {
  terminal = await createTerminal("sqlite");
  await setUpAcme(terminal);
  path = (name) => join(terminal.directory, name);
});
afterEach(() => terminal.close());

const badEmail = "The email field must be a valid email address.";

test("refused rows are kept with their reasons, and those that are mended are imported from there", async () => {
  await writeFile(
    path("people.csv"),
    [
      "E-mail;First Name;State;Topic",
      "ada@example.com;Ada;NY;trees",
      'ada at example.com;"Ada; ""the"" second";NY;trees;one too many',
      "bo@example.com;Bo;Bavaria",
      "",
      ";;;",
      '"no\ntwo@example.com";Cy;;',
    ].join("\n"),
  );
  const first = await terminal.run(["contacts", "import", path("people.csv"), "--refused", path("refused.csv")]);
  expect(first).toMatchObject({
    code: 1,
    stderr: `Error: 3 rows were refused and written to ${path("refused.csv")}.\n`,
  });
  const kept = await readFile(path("refused.csv"), "utf8");
  expect(kept).toBe(
    [
      "refused_line;refused_because;E-mail;First Name;State;Topic",
      `3;${badEmail};ada at example.com;"Ada; ""the"" second";NY;trees;one too many`,
      "4;The state field must not be longer than 2 characters.;bo@example.com;Bo;Bavaria",
      `7;${badEmail};"no\ntwo@example.com";Cy;;`,
      "",
    ].join("\n"),
  );

  await writeFile(path("refused.csv"), kept.replace("ada at ", "ada@").replace("Bavaria", "BY"));
  const parameters = ["contacts", "import", path("refused.csv"), "--refused", path("still.csv"), "--json"];
  const again = await terminal.run(parameters);
  expect(JSON.parse(again.stdout)).toMatchObject({
    created: 1,
    updated: 1,
    refused_count: 1,
    refused: [{ line: 4, errors: { email: [badEmail] } }],
    left_out: [
      { column: "Topic", values: 1 },
      { column: "column 7", values: 1 },
    ],
  });
  // The reasons of the first time have given way to those of the second.
  expect(await readFile(path("still.csv"), "utf8")).toBe(
    `refused_line;refused_because;E-mail;First Name;State;Topic\n4;${badEmail};"no\ntwo@example.com";Cy;;\n`,
  );
});

test("the report shows the first hundred and counts them all", async () => {
  const rows = Array.from({ length: 1001 }, (_, n) => `nobody${n}`);
  await writeFile(path("bad.csv"), ["email", ...rows].join("\n"));
  const { code, stdout } = await terminal.run(["contacts", "import", path("bad.csv"), "--json", "--dry-run"]);
  const { refused, refused_count } = JSON.parse(stdout);
  expect({ code, refused_count }).toEqual({ code: 1, refused_count: 1001 });
  expect(refused.map(({ line }: { line: number }) => line)).toEqual(Array.from({ length: 100 }, (_, n) => n + 2));

  const told = await terminal.run(["contacts", "import", path("bad.csv"), "--refused", path("all.csv")]);
  expect(told.stdout.split("\n").slice(-4)).toEqual([
    `line 100: ${badEmail}`,
    `line 101: ${badEmail}`,
    "and 901 more refused; --refused FILE writes all of them",
    "",
  ]);
  expect((await readFile(path("all.csv"), "utf8")).split("\n")).toHaveLength(1 + 1001 + 1);
});

test("with nothing to keep the file has its header alone, whatever stood there before", async () => {
  await writeFile(path("good.csv"), "email\nada@example.com\n");
  await writeFile(path("refused.csv"), "of yesterday\n");
  await terminal.json("contacts", "import", path("good.csv"), "--refused", path("refused.csv"));
  expect(await readFile(path("refused.csv"), "utf8")).toBe("refused_line,refused_because,email\n");
});

test.each([
  ["the file that is imported", "people.csv", 2, "--refused must not name the file that is imported."],
  ["a place that is not there", "none/refused.csv", 1, "none/refused.csv cannot be written: ENOENT: "],
])("%s cannot keep them, and nothing is imported", async (_what, name, code, sentence) => {
  const content = "email\nada@example.com\nbad\n";
  await writeFile(path("people.csv"), content);
  const refused = await terminal.run(["contacts", "import", path("people.csv"), "--refused", path(name)]);
  expect(refused).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(sentence) });
  expect(await readFile(path("people.csv"), "utf8")).toBe(content);
  expect(await terminal.json("contacts", "export")).toEqual([]);
});
