/** Contacts from the terminal: a file goes in once, whatever is left out is told, and what is shown is what is there. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { createTerminal, setUpAcme } from "../support/terminal.ts";
import type { Terminal } from "../support/terminal.ts";

describe.each(sampleOf("commands: contacts", 1, databaseKinds))("crm contacts on %s", (kind) => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await createTerminal(kind);
    await setUpAcme(terminal);
  });
  afterAll(() => terminal?.close());

  async function file(name: string, content: string | Buffer): Promise<string> {
    const path = join(terminal.directory, name);
    await writeFile(path, content);
    return path;
  }

  /** 450 people: more than two batches. */
  const people = Array.from(
    { length: 450 },
    (_, n) => `"Person, ${n}",Last,Company ${n},p${n}@x.com,212-555-${String(1000 + n)},,Kings`,
  );

  it("imports a file once, however often it is run", async () => {
    const path = await file(
      "people.csv",
      ["first_name,last_name,company_name,email,phone1,phone2,county", ...people].join("\n"),
    );
    const leftOut = [{ column: "county", values: 450 }];
    const rehearsed = await terminal.json("contacts", "import", path, "--dry-run");
    expect(rehearsed).toEqual({
      dry_run: true,
      created: 450,
      updated: 0,
      unchanged: 0,
      refused_count: 0,
      refused: [],
      merged_by_phone_count: 0,
      merged_by_phone: [],
      created_tags_count: 0,
      created_tags: [],
      created_fields: [],
      left_out: leftOut,
      workflows: [],
      stopped_after_line: null,
    });
    const first = await terminal.json("contacts", "import", path);
    expect(first).toEqual({ ...rehearsed, dry_run: false });
    const second = await terminal.json("contacts", "import", path);
    expect(second).toEqual({ ...first, created: 0, unchanged: 450 });
    const { stdout, stderr } = await terminal.run(["contacts", "import", path]);
    // No progress is printed to a pipe.
    expect([stdout, stderr]).toEqual([
      "0 created, 0 updated, 450 unchanged, 0 refused.\ncolumn county: 450 values not imported\n",
      "",
    ]);
  });

  it("reports refused rows by the line they begin on, imports the others and exits 1", async () => {
    const path = await file(
      "mixed.csv",
      '\uFEFFE-mail Address;First Name;State;Topic\r\n\r\nmixed@x.com;"Two\r\nlines";NY;trees\r\nbad;B;;\r\n;Nobody;;\r\nlong@x.com;L;New South Wales;\r\nMIXED@x.com;Two;;stones\r\n',
    );
    const { code, stdout, stderr } = await terminal.run([
      "contacts",
      "import",
      path,
      "--map",
      "Topic=interest",
      "--json",
    ]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "Error: 3 rows were refused.\n" });
    expect(JSON.parse(stdout)).toEqual({
      dry_run: false,
      created: 1,
      updated: 1,
      unchanged: 0,
      refused_count: 3,
      refused: [
        { line: 5, errors: { email: ["The email field must be a valid email address."] } },
        {
          line: 6,
          errors: {
            email: ["The email field is required when the phone is not given."],
            phone: ["The phone field is required when the email is not given."],
          },
        },
        { line: 7, errors: { state: ["The state field must not be longer than 2 characters."] } },
      ],
      merged_by_phone_count: 0,
      merged_by_phone: [],
      created_tags_count: 0,
      created_tags: [],
      created_fields: [],
      left_out: [],
      workflows: [],
      stopped_after_line: null,
    });
  });

  test.each([
    ["no such file", ["none.csv"], 1, "There is no file "],
    ["a folder", ["."], 1, " is a folder, not a file."],
    ["an empty file", ["empty.csv"], 1, "The file is empty: its first line must name the columns."],
    ["letters of another encoding", ["latin.csv"], 1, "is not UTF-8 text at line 2. Save it as CSV UTF-8, or "],
    [
      "quotes that do not match among the columns",
      ["quotes.csv"],
      1,
      "The header cannot be read: line 1 opens a quote ",
    ],
    ["headers that nobody knows", ["shoes.csv"], 1, "No column of the file is a known field: shoe."],
    ["a mapping of no column", ["shoes.csv", "--map", "hat=city"], 2, 'The file has no column "hat"; it has shoe.'],
    [
      "a mapping to no field",
      ["shoes.csv", "--map", "shoe=size"],
      2,
      'There is no field "size"; there are first_name, ',
    ],
    ["an encoding that there is not", ["latin.csv", "--encoding", "latin-9000"], 2, '--encoding is "latin-9000"; '],
    ["a mapping without a field", ["shoes.csv", "--map", "shoe"], 2, '--map takes COLUMN=FIELD, not "shoe".'],
    ["no file", [], 2, "Error: Missing: FILE. See crm contacts import --help.\n"],
  ])("refuses %s in one sentence", async (_name, parameters, code, sentence) => {
    await file("empty.csv", "");
    await file("latin.csv", Buffer.from("email,first_name\nx@y.co,André\n", "latin1"));
    await file("quotes.csv", 'email,"first_name\nx@y.co,Ada\n');
    await file("shoes.csv", "shoe\n44\n");
    const [name, ...flags] = parameters;
    const found = await terminal.run([
      "contacts",
      "import",
      ...(name === undefined ? [] : [join(terminal.directory, name)]),
      ...flags,
    ]);
    expect(found).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(sentence) });
  });

  it("exports what an import reads back", async () => {
    const { code, stdout } = await terminal.run(["contacts", "export"]);
    expect(code).toBe(0);
    const [header, first, ...others] = stdout.split("\n");
    expect(header).toBe(
      "id,first_name,last_name,email,phone,company,source,interest,address1,city,state,zip,timezone,dnd,owner_user_id,external_ref,tags,created_at,updated_at",
    );
    expect(first).toMatch(
      /^\d+,"Person, 0",Last,p0@x.com,\(212\) 555-1000,Company 0,,,,,,,,false,,,,\d{4}-.*Z,\d{4}-.*Z$/,
    );
    expect(others.length).toBe(450 + 1);
    const listed = await terminal.json("contacts", "export");
    expect([listed.length, listed[0]]).toEqual([
      451,
      expect.objectContaining({ name: "Person, 0 Last", email: "p0@x.com" }),
    ]);
    const path = await file("exported.csv", stdout);
    expect(await terminal.json("contacts", "import", path)).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 451,
      refused: [],
    });
  });

  it("lists as many as asked for, page after page, each once", async () => {
    const listed = await terminal.json("contacts", "list", "--limit", "430");
    expect(new Set(listed.map(({ id }: { id: number }) => id)).size).toBe(430);
    expect(await terminal.json("contacts", "list", "--limit", "10000")).toHaveLength(451);
    expect(await terminal.json("contacts", "list")).toHaveLength(200);
  });

  it("restores an export into another location, and no other file into it", async () => {
    await terminal.json("locations", "create", "Branch");
    await terminal.json("contacts", "create", "--first-name", "Nobody", "--location", "1");
    const { stdout } = await terminal.run(["contacts", "export", "--location", "1"]);
    const path = await file("whole.csv", stdout);
    const restore = ["contacts", "import", path, "--exact", "--location"];
    expect(await terminal.json(...restore, "Branch")).toMatchObject({ created: 452, refused: [] });
    const again = await terminal.run(["contacts", "export", "--location", "Branch"]);
    expect(again.stdout.replaceAll(/^\d+/gm, "")).toBe(stdout.replaceAll(/^\d+/gm, ""));
    expect(await terminal.json(...restore, "Branch")).toMatchObject({ created: 0, unchanged: 452 });
    const part = await file("part.csv", stdout.split("\n").slice(0, 9).join("\n"));
    const refused = await terminal.run(["contacts", "import", part, "--exact", "--location", "Branch"]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("contacts that are not in this file") });
    const foreign = await terminal.run([...restore, "1", "--map", "city=zip"]);
    expect(foreign).toMatchObject({ code: 2, stderr: expect.stringContaining("can omit columns") });
  });

  it("shows a contact, and deletes it once somebody agrees", async () => {
    const [{ id }] = await terminal.json("contacts", "export", "--location", "1");
    const shown = await terminal.json("contacts", "show", String(id), "--location", "1");
    expect(shown).toMatchObject({
      id,
      name: "Person, 0 Last",
      activities: [{ kind: "contact.created", actor: { type: "system", id: null, name: "Operator" } }],
    });
    const { stdout } = await terminal.run(["contacts", "show", String(id), "--location", "1"]);
    expect(stdout).toMatch(
      new RegExp(
        `^Person, 0 Last \\(${id}\\)\n  first name: Person, 0\n[^]*Timeline\n  [-0-9]+ [:0-9]+  contact\\.created \\(Operator\\)\n$`,
      ),
    );

    const unasked = await terminal.run(["contacts", "delete", String(id), "--location", "1"]);
    expect(unasked).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("with its events (1): add --yes"),
    });
    expect(await terminal.json("contacts", "delete", String(id), "--yes", "--location", "1")).toEqual({
      id,
      deleted: true,
    });
    for (const verb of [["show"], ["delete", "--yes"]]) {
      const gone = await terminal.run(["contacts", verb[0]!, String(id), "--location", "1", ...verb.slice(1)]);
      expect(gone).toMatchObject({ code: 1, stdout: "", stderr: "Error: There is no such contact.\n" });
    }
  });
});
