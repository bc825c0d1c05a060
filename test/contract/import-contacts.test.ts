/** What an import of contacts does, row by row: who is created, who is changed, what is told of it. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportContacts } from "../../src/crm/contacts/transfer/contact.export.ts";
import { importContacts } from "../../src/crm/contacts/transfer/contact.import.ts";
import type { ImportOptions } from "../../src/crm/contacts/transfer/contact.import.ts";
import { readCsvFile } from "../../src/crm/contacts/transfer/csv-file.ts";
import { createRefusedFile } from "../../src/crm/contacts/transfer/refused-file.ts";
import type { Caller, Place } from "../../src/events/caller.ts";
import { createLocation } from "../../src/tenancy/locations/location.service.ts";
import { databaseKinds } from "../support/databases.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(databaseKinds)("an import on %s", (kind) => {
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
  async function freshLocation(): Promise<Caller<Place>> {
    const inAcme = world.service.inWorkspace(world.acme);
    const { id } = await inAcme.change((change) => createLocation(change, { name: "Fresh", country: "US" }));
    return world.service.inLocation(world.acme, id);
  }

  async function imported(caller: Caller<Place>, lines: readonly string[], options: ImportOptions = {}) {
    const path = join(folder, "people.csv");
    await writeFile(path, lines.join("\n"));
    return importContacts(caller, readCsvFile(path), options);
  }

  async function people(caller: Caller<Place>): Promise<string[]> {
    const found: string[] = [];
    for await (const { name, email, phone_display } of exportContacts(caller)) {
      found.push([name, email, phone_display].join(", "));
    }
    return found;
  }

  test("colleagues behind one switchboard stay three people, in a rehearsal as well", async () => {
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

  test("who is found by the phone alone is told by line, with the name as it was", async () => {
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

  test("rows that are no CSV are refused by line and kept as they are, until somebody mends them", async () => {
    const caller = await freshLocation();
    const kept = join(folder, "refused.csv");
    async function keeping(lines: readonly string[]) {
      const refusedRows = createRefusedFile(kept);
      const report = await imported(caller, lines, { refusedRows });
      await refusedRows.close();
      return report;
    }
    const misplaced =
      "The row has a quote out of place: a cell that holds quotes stands in quotes, and each of its own is doubled.";
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

  test("of rows that are found by the phone alone the first hundred are shown", async () => {
    const caller = await freshLocation();
    const rows = Array.from({ length: 251 }, (_, n) => `Person ${n},212 555 0100`);
    const { merged_by_phone, ...report } = await imported(caller, ["first_name,phone", ...rows]);
    expect(report).toMatchObject({ created: 1, updated: 250, merged_by_phone_count: 250 });
    expect(merged_by_phone.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, n) => n + 3));
  });
});
