/** People found, created and changed from the terminal. */
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { contactFieldNames } from "../../src/crm/contacts/contact.fields.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

const people = [
  [
    "--first-name",
    "Ada",
    "--last-name",
    "Lovelace",
    "--email",
    "Ada@Engines.example",
    "--phone",
    "(415) 555-2671",
    "--company",
    "Engines",
  ],
  [
    "--first-name",
    "Grace",
    "--last-name",
    "Hopper",
    "--email",
    "grace@navy.example",
    "--phone",
    "+49 30 1234567",
    "--dnd",
  ],
  ["--first-name", "Ἀθηνᾶ", "--last-name", "Παλλάς", "--city", "Αθήνα", "--phone", "212-555-0142 x12"],
  ["--first-name", "O'Hara & Söhne", "--zip", "02134", "--external-ref", "crm-2671"],
];

describe.each(sampleOf("commands: find contacts", 1, databaseKinds))("people on %s", (kind) => {
  let terminal: Terminal;
  let made: { id: number; name: string }[];
  beforeAll(async () => {
    terminal = await createTerminal(kind);
    await setUpAcme(terminal);
    made = [];
    for (const flags of people) made.push(await terminal.json("contacts", "create", ...flags));
  });
  afterAll(() => terminal?.close());

  /** The first names of those found, in their order. */
  async function find(...parameters: string[]): Promise<string[]> {
    const found = await terminal.json("contacts", "list", ...parameters);
    return found.map(({ first_name }: { first_name: string }) => first_name);
  }
  const [ada, grace, athena, ohara] = ["Ada", "Grace", "Ἀθηνᾶ", "O'Hara & Söhne"];

  test.each<[query: string, found: (string | undefined)[]]>([
    ["ada", [ada]],
    ["lovelace ada", [ada]],
    ["navy.example", [grace]],
    ["5552671", [ada]],
    ["nobody", []],
  ])("crm contacts list %j", async (query, found) => {
    expect(await find(query)).toEqual(found);
  });

  test.each<[filters: string[], found: (string | undefined)[]]>([
    [["company=engines"], [ada]],
    [["city:is_null=false"], [athena]],
    [["company:neq="], [ada]],
    [
      ['{"any": [{"field": "zip", "op": "eq", "value": "02134"}, {"field": "dnd", "op": "eq", "value": true}]}'],
      [ohara, grace],
    ],
  ])("crm contacts list --filter %j", async (filters, found) => {
    expect(await find(...filters.flatMap((filter) => ["--filter", filter]))).toEqual(found);
  });

  it("shows the newest first, as many as asked for, and says when there are more", async () => {
    expect(await find()).toEqual([ohara, athena, grace, ada]);
    expect(await find("--limit", "2")).toEqual([ohara, athena]);
    expect(await find("ace", "--limit", "1")).toEqual([grace]);
    expect(await find("ace", "--filter", "dnd=false", "--limit", "1")).toEqual([ada]);
    expect(await find("ad")).toEqual([ada]);
    expect(await terminal.run(["contacts", "list", "--filter", "dnd=false", "--limit", "1"])).toEqual({
      code: 0,
      signal: null,
      stdout: expect.stringMatching(/^id {2}name +email {2}phone {2}tags\n\d+ +O'Hara & Söhne {2}- {6}- {6}-\n$/),
      stderr: "1 of 3; --limit shows more.\n",
    });
    expect(await terminal.run(["contacts", "list", "nobody"])).toMatchObject({
      code: 0,
      stdout: "No contact matches.\n",
      stderr: "",
    });
  });

  it("creates a contact with every field that there is, and changes each", async () => {
    const [owner] = await terminal.json("users", "list");
    const fields: Record<string, [flag: string, shown: unknown]> = {
      first_name: ["Alan", "Alan"],
      last_name: ["Turing", "Turing"],
      email: ["alan@example.com", "alan@example.com"],
      phone: ["+1 212 555 0199", "(212) 555-0199"],
      company: ["Bombe", "Bombe"],
      source: ["fair", "fair"],
      interest: ["machines", "machines"],
      address1: ["1 Park", "1 Park"],
      city: ["Bletchley", "Bletchley"],
      state: ["MA", "MA"],
      zip: ["02139", "02139"],
      timezone: ["europe/london", "Europe/London"],
      owner_user_id: [String(owner.id), { id: owner.id, name: owner.name }],
      external_ref: ["ref-1", "ref-1"],
    };
    const flags = Object.entries(fields).flatMap(([field, [value]]) => [`--${field.replaceAll("_", "-")}`, value]);
    expect([...Object.keys(fields), "dnd"].toSorted()).toEqual([...contactFieldNames].toSorted());
    const { phone, owner_user_id, ...others } = fields;
    const expected = {
      ...Object.fromEntries(Object.entries(others).map(([field, [, shown]]) => [field, shown])),
      phone_display: phone![1],
      owner: owner_user_id![1],
      dnd: true,
    };
    const created = await terminal.json("contacts", "create", ...flags, "--dnd");
    expect(created).toMatchObject({ id: expect.any(Number), name: "Alan Turing", ...expected });
    const other = await terminal.json("contacts", "create", "--first-name", "Other");
    const notTaken = flags.map((text) => (text === "ref-1" ? "ref-2" : text));
    const updated = await terminal.json("contacts", "update", String(other.id), ...notTaken, "--dnd");
    expect(updated).toMatchObject({ id: other.id, ...expected, external_ref: "ref-2" });
    const cleared = await terminal.json(
      "contacts",
      "update",
      String(other.id),
      "--email",
      "",
      "--owner-user-id",
      "",
      "--last-name",
      "",
      "--no-dnd",
    );
    expect(cleared).toMatchObject({ email: null, owner: null, last_name: "", dnd: false, company: "Bombe" });
    expect(cleared.activities[0]).toMatchObject({ kind: "contact.updated", actor: { name: "Operator" } });
  });

  it("says what it did", async () => {
    const { id } = made[0]!;
    const { stdout } = await terminal.run(["contacts", "create", "--first-name", "Said"]);
    expect(stdout).toMatch(/^Created contact \d+ \(Said\)\.\n$/);
    expect((await terminal.run(["contacts", "update", String(id), "--city", "London"])).stdout).toBe(
      `Updated contact ${id} (Ada Lovelace).\n`,
    );
  });
});

describe("what cannot be meant", () => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await createTerminal("sqlite");
    await setUpAcme(terminal);
    await terminal.json("contacts", "create", "--first-name", "Ada", "--external-ref", "crm-2671");
  });
  afterAll(() => terminal?.close());

  test.each([
    [["list", ""], 2, 'QUERY is ""; expected a part of a name, an e-mail address or a phone number.'],
    [["list", "--limit", "0"], 2, '--limit is "0"; expected a whole number from 1 to 10000.'],
    [
      ["list", "--filter", "city"],
      2,
      '--filter is "city"; expected FIELD=VALUE, FIELD:OPERATOR=VALUE such as company:contains=engines or tag:in=VIP,lead, or the JSON of the API.',
    ],
    [
      ["list", "--filter", "id:contains=1"],
      2,
      '--filter compares id by "contains"; it takes eq, neq, in, nin, is_null, gt, gte, lt, lte.',
    ],
    [["create"], 2, "Missing: --first-name. See crm contacts create --help."],
    [["create", "--first-name", " "], 1, "--first-name is required."],
    [
      ["create", "--first-name", "x", "--email", "x", "--state", "Ohio"],
      1,
      "--email must be a valid email address. --state must not be longer than 2 characters.",
    ],
    [["create", "--first-name", "x", "--owner-user-id", "77"], 1, /owner/],
    [["create", "--first-name", "x", "--external-ref", "crm-2671"], 1, /--external-ref has already been taken/],
    [["update", "1"], 2, "Nothing to change: give at least one field, such as --email."],
    [["update", "77777", "--city", "x"], 1, "There is no such contact."],
    [["update", "Ada", "--city", "x"], 2, 'ID is "Ada"; expected an id, a whole number from 1.'],
  ])("crm contacts %j exits %i with one sentence", async (parameters, code, sentence) => {
    const refused = await terminal.run(["contacts", ...parameters]);
    expect(refused).toMatchObject({ code, stdout: "" });
    expect(refused.stderr).toMatch(sentence instanceof RegExp ? sentence : /./);
    expect(refused.stderr.split("\n")).toHaveLength(2);
    if (typeof sentence === "string") expect(refused.stderr).toBe(`Error: ${sentence}\n`);
  });
});
