/** Imports of contacts, row by row: created and updated contacts, and the report. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getRecordRow } from "../../src/crm/contacts/contact.queries.ts";
import { addContactTag } from "../../src/crm/contacts/contact-tags.service.ts";
import { createContact, updateContact } from "../../src/crm/contacts/contact.service.ts";
import type { ContactInput } from "../../src/crm/contacts/contact.schema.ts";
import { createContactInput, exactContactInput } from "../../src/crm/contacts/contact.schema.ts";
import { exportContacts, toCsv } from "../../src/crm/contacts/transfer/contact.export.ts";
import { importContacts } from "../../src/crm/contacts/transfer/contact.import.ts";
import type { ImportOptions } from "../../src/crm/contacts/transfer/contact.import.ts";
import { readCsvFile } from "../../src/crm/contacts/transfer/csv-file.ts";
import type { CsvRecord } from "../../src/crm/contacts/transfer/csv-file.ts";
import { readRecords } from "../../src/crm/contacts/transfer/csv-records.ts";
import { createRefusedFile } from "../../src/crm/contacts/transfer/refused-file.ts";
import { createTag } from "../../src/crm/tags/tag.service.ts";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import { fold } from "../../src/kit/text.ts";
import { openLocation } from "../../src/crm/pipelines/open-location.service.ts";
import { createWorkspace } from "../../src/tenancy/workspaces/workspace.service.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { unique } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(sampleOf("imports", 1, databaseKinds))("an import on %s", (kind) => {
  let world: World;
  let folder: string;
  beforeAll(async () => {
    world = await createWorld(kind);
    folder = await mkdtemp(join(tmpdir(), "crm-import-"));
  });
  afterAll(async () => {
    await world?.close();
    await rm(folder, { recursive: true });
  });

  /** A location without contacts. */
  async function freshLocation(): Promise<Caller<LocationContext>> {
    const inAcme = world.service.inWorkspace(world.acme);
    const { id } = await inAcme.change((change) => openLocation(change, { name: "Fresh", country: "US" }));
    return world.service.inLocation(world.acme, id);
  }

  /** An empty workspace with one location. */
  async function freshWorkspace(): Promise<Caller<LocationContext>> {
    const { id } = await world.service.operator.change((change) => createWorkspace(change, { name: "Fresh" }));
    const inFresh = world.service.inWorkspace(id);
    const place = await inFresh.change((change) => openLocation(change, { name: "Fresh", country: "US" }));
    return world.service.inLocation(id, place.id);
  }

  async function imported(caller: Caller<LocationContext>, lines: readonly string[], options: ImportOptions = {}) {
    const path = join(folder, "people.csv");
    await writeFile(path, lines.join("\n"));
    return importContacts(caller, readCsvFile(path), options);
  }

  async function people(caller: Caller<LocationContext>): Promise<string[]> {
    const found: string[] = [];
    for await (const { name, email, phone_display } of exportContacts(caller)) {
      found.push([name, email, phone_display].join(", "));
    }
    return found;
  }

  test("people with the same switchboard number stay separate contacts, in a dry run as well", async () => {
    const caller = await freshLocation();
    const lines = [
      "first_name,email,phone",
      "Ann,ann@x.com,212 555 0100",
      "Ben,ben@x.com,(212) 555-0100",
      "Cleo,cleo@x.com,+1 212 555 0100",
    ];
    const expected = { created: 3, updated: 0, unchanged: 0, merged_by_phone_count: 0, merged_by_phone: [] };
    expect(await imported(caller, lines, { dryRun: true })).toMatchObject(expected);
    expect(await imported(caller, lines)).toMatchObject(expected);
    expect(await people(caller)).toEqual([
      "Ann, ann@x.com, (212) 555-0100",
      "Ben, ben@x.com, (212) 555-0100",
      "Cleo, cleo@x.com, (212) 555-0100",
    ]);
    expect(await imported(caller, lines)).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
  });

  test("contacts matched by phone only are reported by line, with their previous name", async () => {
    const caller = await freshLocation();
    await imported(caller, ["first_name,last_name,phone", "Ann,Lee,212 555 0100"]);
    const lines = [
      "first_name,email,phone",
      "Ann,,212 555 0100",
      "Ben,,212 555 0100",
      "Cleo,cleo@x.com,212 555 0100",
      "Dora,dora@x.com,212 555 0100",
      "Cleo B.,cleo@x.com,212 555 0100",
      "Eve,,212 555 0199",
      "Eva,,212 555 0199",
    ];
    const into = (id: unknown, name: string) => ({ contact: { id, name } });
    const id = expect.any(Number);
    const merged = [
      { line: 3, ...into(id, "Ann Lee") },
      { line: 4, ...into(id, "Ben Lee") },
      { line: 8, ...into(null, "Eve") },
    ];
    const expected = { created: 2, updated: 4, unchanged: 1, merged_by_phone_count: 3 };
    expect(await imported(caller, lines, { dryRun: true })).toMatchObject({ ...expected, merged_by_phone: merged });
    expect(await imported(caller, lines)).toMatchObject({
      ...expected,
      merged_by_phone: [...merged.slice(0, 2), { line: 8, ...into(id, "Eve") }],
    });
    expect(await people(caller)).toEqual([
      "Cleo B. Lee, cleo@x.com, (212) 555-0100",
      "Dora, dora@x.com, (212) 555-0100",
      "Eva, , (212) 555-0199",
    ]);
  });

  test("malformed rows are refused by line and written unchanged to the file of refused rows", async () => {
    const caller = await freshLocation();
    const kept = join(folder, "refused.csv");
    async function keeping(lines: readonly string[]) {
      const refusedRows = createRefusedFile(kept);
      const report = await imported(caller, lines, { refusedRows });
      await refusedRows.close();
      return report;
    }
    const misplaced =
      "The row has a misplaced quote: enclose a cell that contains quotes in quotes, and double each quote inside it.";
    const unclosed = "The row opens a quote that is not closed.";
    const report = await keeping([
      "first_name;email;company",
      "Ann;ann@x.com;6' Ltd.",
      'Ben;ben@x.com;6" Ltd.',
      'Cleo;cleo@x.com;"Open',
      'Dora;dora@x.com;"Closed; and ""more"""',
      `Eve;eve@x.com;${"x".repeat(2 ** 21)}`,
      "Fay;fay@x.com;",
    ]);
    expect(report).toMatchObject({ created: 3, refused_count: 3, stopped_after_line: null });
    expect(report.refused).toEqual([
      { line: 3, errors: { row: [misplaced] } },
      { line: 4, errors: { row: [unclosed] } },
      { line: 6, errors: { row: ["The row is larger than 1 MiB."] } },
    ]);
    const lines = (await readFile(kept, "utf8")).trimEnd().split("\n");
    expect(lines).toEqual([
      "refused_line;refused_because;first_name;email;company",
      `3;${misplaced};Ben;ben@x.com;6" Ltd.`,
      `4;${unclosed};Cleo;cleo@x.com;"Open`,
      "6;The row is larger than 1 MiB.;",
    ]);
    expect(await keeping(lines)).toMatchObject({ created: 0, refused_count: 2, refused: [{ line: 2 }, { line: 3 }] });
    expect(await keeping([lines[0]!, lines[1]!.replace('6"', "6"), `${lines[2]}"`])).toMatchObject({
      created: 2,
      refused_count: 0,
    });
    expect(await people(caller)).toEqual(
      ["Ann", "Dora", "Fay", "Ben", "Cleo"].map((name) => `${name}, ${name.toLowerCase()}@x.com, `),
    );
  });

  describe("tags", () => {
    async function tagged(caller: Caller<LocationContext>): Promise<Record<string, string[]>> {
      const found: Record<string, string[]> = {};
      for await (const { email, tags } of exportContacts(caller)) found[email!] = tags.map(({ name }) => name);
      return found;
    }

    const lines = [
      "email,tags,city",
      'ann@x.com,"VIP; ""a; b"""',
      "ben@x.com,vip; New",
      "cleo@x.com,,",
      "ANN@x.com,NEW,Rome",
      "bad,Never",
    ];

    test("are added, and missing ones are created", async () => {
      const caller = await freshWorkspace();
      await caller.change((change) => createTag(change, { name: "Vip" }));
      const expected = { created: 3, updated: 1, refused_count: 1, left_out: [], created_tags_count: 2 };
      const names = ["a; b", "New"];
      const rehearsed = await imported(caller, lines, { dryRun: true });
      expect(rehearsed).toMatchObject({ ...expected, created_tags: names });
      expect(await caller.rows("select name from tags where workspace_id = ?", [caller.workspaceId])).toHaveLength(1);

      const { result, events } = await world.eventsDuring(() => imported(caller, lines));
      expect(result).toEqual(rehearsed);
      expect(await tagged(caller)).toEqual({
        "ANN@x.com": ["a; b", "New", "Vip"],
        "ben@x.com": ["New", "Vip"],
        "cleo@x.com": [],
      });
      expect(events.map(({ event, data }) => [event, data.email, data.tag?.name])).toEqual([
        ["contact.created", "ann@x.com", undefined],
        ["contact.tag_added", "ann@x.com", "Vip"],
        ["contact.tag_added", "ann@x.com", "a; b"],
        ["contact.created", "ben@x.com", undefined],
        ["contact.tag_added", "ben@x.com", "Vip"],
        ["contact.tag_added", "ben@x.com", "New"],
        ["contact.created", "cleo@x.com", undefined],
        ["contact.updated", "ANN@x.com", undefined],
        ["contact.tag_added", "ANN@x.com", "New"],
      ]);
      const again = await world.eventsDuring(() => imported(caller, lines.toSpliced(1, 1)));
      expect([again.result, again.events]).toMatchObject([{ unchanged: 3, created_tags_count: 0 }, []]);
    });

    test("that are the only change move the contact to the front and change nothing else", async () => {
      const caller = await freshWorkspace();
      await imported(caller, lines.slice(0, 4));
      world.clock.advance({ seconds: 60 });
      expect(await imported(caller, ["email,tags", "cleo@x.com,Late"])).toMatchObject({ updated: 1 });
      const times = await caller.rows<{ email: string; active: number; updated: number }>(
        "select email, last_activity_at as active, updated_at as updated from contacts where location_id = ? order by last_activity_at desc",
        [caller.location.id],
      );
      expect(times[0]).toMatchObject({ email: "cleo@x.com" });
      expect(times[0]!.active - times[0]!.updated).toBe(60_000);
    });

    test("that do not exist refuse the row if tags may not be created", async () => {
      const caller = await freshWorkspace();
      await caller.change((change) => createTag(change, { name: "Vip" }));
      for (const dryRun of [true, false]) {
        expect(await imported(caller, lines, { dryRun, createTags: false })).toMatchObject({
          created: 1,
          created_tags_count: 0,
          refused: [
            { line: 2, errors: { tags: ['There is no tag "a; b".'] } },
            { line: 3, errors: { tags: ['There is no tag "New".'] } },
            { line: 5, errors: { tags: ['There is no tag "NEW".'] } },
            { line: 6, errors: { email: [expect.any(String)] } },
          ],
        });
      }
      expect(await tagged(caller)).toEqual({ "cleo@x.com": [] });
    });

    test("are at most a hundred, with valid names", async () => {
      const caller = await freshWorkspace();
      const many = (count: number, from = 0) => Array.from({ length: count }, (_, n) => `Tag ${from + n}`).join("; ");
      const rows = [
        `a@x.com,${many(100)}`,
        `a@x.com,${many(1, 100)}`,
        `b@x.com,${many(101)}`,
        `c@x.com,${"x".repeat(256)}`,
      ];
      expect(await imported(caller, ["email,tags", ...rows])).toMatchObject({
        created: 1,
        created_tags_count: 101,
        refused: [
          { line: 3, errors: { tags: ["The contact can have 100 tags at most."] } },
          { line: 4, errors: { tags: ["The tags field must have at most 100 items."] } },
          { line: 5, errors: { "tags.0": ["The tags.0 field must not be longer than 255 characters."] } },
        ],
      });
      expect((await tagged(caller))["a@x.com"]).toHaveLength(100);
    });
  });

  describe("of an export", () => {
    /** Texts that are special to CSV, spreadsheets or the import. */
    const words = [" ::: ", "\r\n", "''=", "true", "New York", "\u200b"];
    const piece = fc.constantFrom(...`aé😀 '"=+-@;,\t\n\r|`, ...words);
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
    const person = fc.record({
      first_name: text.map((name) => `x${name}`),
      last_name: text,
      phone: fc.constantFrom("+44 20 7946 0018", "212 555 0100 x12", "=1+1", "-2", "'+1", null),
      company: text,
      source: text,
      interest: text,
      address1: text,
      city: text,
      state: fc.constantFrom("NY", "=1", "", null),
      zip: fc.constantFrom("00501", "-1", null),
      timezone: fc.constantFrom("Europe/London", null),
      dnd: fc.boolean(),
      tags: fc.array(
        // Names are one line each.
        text.map((name) => `${name.replaceAll(/\p{Cc}+/gu, " ")}.`),
        { maxLength: 4 },
      ),
    });

    test("a round trip into an empty workspace loses nothing, whatever the texts", { timeout: 60_000 }, async () => {
      const shown = async (caller: Caller<LocationContext>) => {
        const found = [];
        for await (const contact of exportContacts(caller)) {
          const { id: _id, created_at: _c, updated_at: _u, last_activity_at: _l, tags, ...says } = contact;
          found.push({ ...says, tags: tags.map(({ name }) => name) });
        }
        return found;
      };
      await fc.assert(
        fc.asyncProperty(fc.array(person, { minLength: 20, maxLength: 40 }), async (given) => {
          const [from, to] = [await freshWorkspace(), await freshWorkspace()];
          const known = new Map<string, number>();
          for (const [n, { tags, ...fields }] of given.entries()) {
            const names = tags.map((tag) => tag.trim());
            for (const name of names) {
              if (!known.has(fold(name)))
                known.set(fold(name), (await from.change((change) => createTag(change, { name }))).id);
            }
            await from.change(async (change) => {
              const input = createContactInput.parse({ ...fields, email: `p${n}@x.com` }) as ContactInput;
              const { id } = await createContact(change, input);
              for (const name of names) {
                await addContactTag(change, id, { tag_id: known.get(fold(name))!, name: null }, getRecordRow);
              }
            });
          }
          const csv: string[] = [];
          for await (const line of toCsv(exportContacts(from))) csv.push(line);
          for await (const { cells } of readRecords(csv, ",")) {
            expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
          }
          expect(await imported(to, [csv.join("")])).toMatchObject({
            created: given.length,
            refused: [],
            left_out: [],
          });
          expect(await shown(to)).toEqual(await shown(from));
          expect(await imported(to, [csv.join("")])).toMatchObject({ unchanged: given.length, created_tags: [] });
        }),
        { numRuns: 4, endOnFailure: true },
      );
    });
  });

  describe("exactly", () => {
    const word = fc.constantFrom("Ada", "O'Neil", "=1", " x ", "a;b", "ß", "'+", "\r\n", "\u200b", '"');
    const text = fc.array(word, { maxLength: 3 }).map((words) => words.join(""));
    const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
    /** Arbitrary contacts: without any field, with shared addresses and numbers, created at any time. */
    const anybody = fc.record({
      first_name: text,
      last_name: text,
      email: orNull(fc.constantFrom("a@x.com", "A@x.com", "b@x.com")),
      phone: orNull(fc.constantFrom("212 555 0100", "+44 20 7946 0018", "+49 30 1234 x7", "=1", "none")),
      company: orNull(text),
      interest: orNull(text),
      state: orNull(fc.constantFrom("NY", "=1")),
      zip: orNull(fc.constantFrom("00501", "-1")),
      timezone: orNull(fc.constantFrom("Europe/London")),
      dnd: fc.boolean(),
      isOwned: fc.boolean(),
      hasReference: fc.boolean(),
      tags: fc.uniqueArray(fc.constantFrom("VIP", "a; b", "=tag"), { maxLength: 3 }),
      pause: fc.integer({ min: 0, max: 100_000 }),
      isChanged: fc.boolean(),
    });
    type Anybody = typeof anybody extends fc.Arbitrary<infer Value> ? Value : never;

    async function give(caller: Caller<LocationContext>, people: readonly Anybody[]): Promise<void> {
      for (const { pause, isChanged, isOwned, hasReference, tags, ...fields } of people) {
        world.clock.advance({ milliseconds: pause });
        const given = {
          ...fields,
          ...(isOwned ? { owner_user_id: world.users.olga } : {}),
          ...(hasReference ? { external_ref: `ref ${unique()}` } : {}),
        };
        const input = exactContactInput.parse(given);
        const { id } = await caller.change((change) => createContact(change, input));
        for (const name of tags)
          await caller.change((change) => addContactTag(change, id, { tag_id: null, name }, getRecordRow));
        if (!isChanged) continue;
        world.clock.advance({ milliseconds: pause });
        await caller.change((change) => updateContact(change, id, { city: `City ${pause}` }));
      }
    }

    /** One record per contact; the first cell is the id. */
    async function exported(caller: Caller<LocationContext>): Promise<string[]> {
      const records: string[] = [];
      for await (const record of toCsv(exportContacts(caller))) records.push(record);
      return records;
    }
    const withoutIds = (records: readonly string[]) => records.map((record) => record.replace(/^[^,]*,/, ""));

    /** References are unique in the service, so the restored contacts get new ones. */
    const giveUpReferences = (caller: Caller<LocationContext>) =>
      caller.change((change) =>
        change.rows("update contacts set external_ref = null where location_id = ?", [caller.location.id]),
      );

    test(
      "what an export wrote is an empty location's again, byte for byte but for the ids",
      { timeout: 120_000 },
      async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(anybody, { minLength: 5, maxLength: 25 }), async (people) => {
            const [from, to] = [await freshLocation(), await freshLocation()];
            for (const name of ["VIP", "a; b", "=tag"])
              await from.change((change) => createTag(change, { name })).catch(() => {});
            await give(from, people);
            const records = await exported(from);
            const csv = records.join("");
            await giveUpReferences(from);
            const counts = { created: people.length, updated: 0, unchanged: 0, refused: [], left_out: [] };
            expect(await imported(to, [csv], { exact: true, dryRun: true })).toMatchObject(counts);
            const { result, events } = await world.eventsDuring(() => imported(to, [csv], { exact: true }));
            expect(result).toMatchObject(counts);
            expect(withoutIds(await exported(to))).toEqual(withoutIds(records));
            // The timeline starts with the import.
            const made = events.filter(({ event }) => event === "contact.created");
            expect(made).toHaveLength(people.length);
            const began = await to.rows<{ at: number }>(
              "select distinct created_at as at from events where location_id = ? and event = 'contact.created'",
              [to.location.id],
            );
            expect(began.map(({ at }) => at)).toEqual([world.clock.now().getTime()]);
            // Importing again changes nothing.
            const again = await world.eventsDuring(() => imported(to, [csv], { exact: true }));
            expect(again).toMatchObject({ result: { created: 0, unchanged: people.length }, events: [] });
          }),
          { numRuns: 5, endOnFailure: true },
        );
      },
    );

    const header =
      "id,first_name,last_name,email,phone,company,source,interest,address1,city,state,zip,timezone,dnd,owner_user_id,external_ref,tags,created_at,updated_at";
    const times = "2024-02-29T12:00:00.001Z,2025-01-01T00:00:00.000Z";
    const row = (name: string, rest = times, email = "") => `,${name},,${email},,,,,,,,,,false,,,,${rest}`;

    test("an interrupted import can be finished with the same file only", async () => {
      const caller = await freshLocation();
      const lines = [header, ...Array.from({ length: 450 }, (_, n) => row(`Person ${n}`))];
      const stop = new AbortController();
      const progress = () => stop.abort();
      const options = { exact: true, signal: stop.signal, progress };
      expect(await imported(caller, lines, options)).toMatchObject({ created: 200, stopped_after_line: 201 });
      const other = lines.with(3, row("Another"));
      const refused = "The location has contacts that are not in this file";
      await expect(imported(caller, other, { exact: true })).rejects.toMatchObject({
        cause: { message: expect.stringContaining(refused) },
      });
      await expect(imported(caller, lines.slice(0, 150), { exact: true })).rejects.toMatchObject({
        cause: { message: expect.stringContaining(refused) },
      });
      await expect(imported(caller, [header, row("Another")], { exact: true })).rejects.toThrow(refused);
      expect(await people(caller)).toHaveLength(200);

      expect(await imported(caller, lines, { exact: true })).toMatchObject({ created: 250, unchanged: 200 });
      expect((await people(caller)).map((name) => name.split(",")[0])).toEqual(
        lines.slice(1).map((line) => line.split(",")[1]),
      );
    });

    test("a row is refused for invalid times only; a file that is not an export is refused as a whole", async () => {
      const caller = await freshLocation();
      const wrong: [times: string, errors: Record<string, string>][] = [
        [",", { created_at: "is required.", updated_at: "is required." }],
        ["yesterday,2025-01-01T00:00:00.000Z", { created_at: "must be a timestamp with an offset or Z" }],
        ["1969-12-31T23:59:59.999Z,2025-01-01T00:00:00.000Z", { created_at: "must not be before 1970." }],
        ["2025-01-01T00:00:00.001Z,2025-01-01T00:00:00.000Z", { updated_at: "must not be before created_at." }],
      ];
      const report = await imported(caller, [header, ...wrong.map(([given]) => row("x", given)), row("Ada")], {
        exact: true,
      });
      expect(report).toMatchObject({ created: 1, refused_count: wrong.length });
      for (const [place, [, errors]] of wrong.entries())
        for (const [field, says] of Object.entries(errors))
          expect(report.refused[place]!.errors[field]).toEqual([expect.stringContaining(says)]);

      const lacks = header.replace(",updated_at", "").replace(",tags", "");
      await expect(imported(await freshLocation(), [lacks, "1"], { exact: true })).rejects.toThrow(
        "this one lacks the column tags, updated_at.",
      );
      await expect(
        imported(await freshLocation(), [header, row("x")], { exact: true, map: { zip: "city" } }),
      ).rejects.toThrow("An exact import can omit columns");
      const elsewhere = await freshWorkspace();
      const owned = row("x").replace("false,,", "false,1,ref 1");
      const without = { exact: true, map: { owner_user_id: "", external_ref: "" } };
      expect(await imported(elsewhere, [header, owned], without)).toMatchObject({ created: 1, refused_count: 0 });
      expect(await imported(elsewhere, [header, owned], without)).toMatchObject({ unchanged: 1, refused_count: 0 });
    });
  });

  test("the report shows the first hundred rows matched by phone only", async () => {
    const caller = await freshLocation();
    const rows = Array.from({ length: 251 }, (_, n) => `Person ${n},212 555 0100`);
    const { merged_by_phone, ...report } = await imported(caller, ["first_name,phone", ...rows]);
    expect(report).toMatchObject({ created: 1, updated: 250, merged_by_phone_count: 250 });
    expect(merged_by_phone.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, n) => n + 3));
  });

  test("other requests are served between rows that are all refused", async () => {
    const caller = await freshLocation();
    async function* records(): AsyncGenerator<CsvRecord> {
      for (let line = 1; line <= 5000; line++)
        yield { line, bytes: line, delimiter: ",", cells: line === 1 ? ["email", "first_name"] : ["x", ""] };
    }
    let isDone = false;
    const importing = importContacts(caller, records()).finally(() => (isDone = true));
    let turns = 0;
    for (; !isDone; turns += 1) await nextTurn();
    expect(await importing).toMatchObject({ refused_count: 4999 });
    expect(turns).toBeGreaterThan(10);
  });
});
