/** Rows that the database itself rejects, for any reason: bulk and import report them and write the others. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importContacts } from "../../src/crm/contacts/transfer/contact.import.ts";
import { readCsvFile } from "../../src/crm/contacts/transfer/csv-file.ts";
import { createRefusedFile } from "../../src/crm/contacts/transfer/refused-file.ts";
import { databaseKinds } from "../support/databases.ts";
import type { DatabaseKind } from "../support/databases.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** Constraints that only the database has, in place of an index entry that is too large: no city Atlantis, no half values. */
const rules: Record<DatabaseKind, string[]> = {
  sqlite: ["insert", "update"].map(
    (what) => `create trigger no_atlantis_${what} before ${what} on contacts
      when new.city = 'Atlantis' or (new.city = 'Half' and new.zip = 'Half')
      begin select raise(abort, 'nobody lives there'); end`,
  ),
  postgres: [
    `alter table contacts add constraint no_atlantis check (city <> 'Atlantis' and not (city = 'Half' and zip = 'Half'))`,
    "create index too_wide on contacts (company, source, interest, address1)",
  ],
};

/** 255 incompressible letters of four bytes: four of these are too large for an index entry on PostgreSQL. */
const letters = (seed: number): string =>
  Array.from({ length: 255 }, (_, n) => String.fromCodePoint(0x20000 + ((seed + n * 7919) % 40_000))).join("");
const wide = { company: letters(1), source: letters(2), interest: letters(3), address1: letters(4) };

describe.each(databaseKinds)("on %s", (kind) => {
  let world: World;
  let folder: string;
  const code = kind === "sqlite" ? "SQLITE_CONSTRAINT_TRIGGER" : "23514";
  const refused = { contact: [`The database refuses this contact (${code}).`] };
  beforeAll(async () => {
    world = await createWorld(kind, { quiet: true });
    folder = await mkdtemp(join(tmpdir(), "crm-refused-"));
    await world.service.database.changeSchema(async ({ rowsOnce }) => {
      for (const rule of rules[kind]) await rowsOnce(rule);
    });
  });
  afterAll(async () => {
    await world?.close();
    await rm(folder, { recursive: true });
  });

  const bulk = (contacts: unknown[], headers: Record<string, string> = {}) =>
    world.eventsDuring(() =>
      world.send("owner", "POST", "/contacts/bulk", { location_id: world.north, contacts }, headers),
    );

  test("a bulk writes the other items once, and stores the response", async () => {
    const contacts = [
      { email: "one@x.com", city: "Rome" },
      { email: "two@x.com", city: "Atlantis" },
      { email: "bad" },
      // Valid separately, rejected together.
      { email: "half@x.com", city: "Half" },
      { email: "half@x.com", zip: "Half" },
      { email: "half@x.com", zip: "10001" },
      ...Array.from({ length: 100 }, (_, n) => ({ email: `p${n}@x.com`, city: n % 40 === 7 ? "Atlantis" : "Oslo" })),
      ...(kind === "postgres" ? [{ email: "wide@x.com", ...wide }] : []),
    ];
    const headers = { "idempotency-key": "with refused rows" };
    const { result, events } = await bulk(contacts, headers);
    expect(result.status).toBe(200);
    const { data } = result.body;
    expect(data.slice(0, 6)).toMatchObject([
      { status: 201 },
      { status: 422, message: refused.contact[0], errors: refused },
      { status: 422, errors: { email: [expect.any(String)] } },
      { status: 201 },
      { status: 422, errors: refused },
      { status: 200, id: data[3].id },
    ]);
    expect(data.slice(6, 106).flatMap((item: { status: number }, n: number) => (item.status === 422 ? n : []))).toEqual(
      [7, 47, 87],
    );
    expect(data.slice(106)).toMatchObject(
      kind === "postgres" ? [{ status: 422, errors: { contact: ["The database refuses this contact (54000)."] } }] : [],
    );
    // The attempts left nothing behind.
    expect(events.map(({ event }) => event)).toEqual([
      "contact.created",
      "contact.created",
      "contact.updated",
      ...Array.from({ length: 97 }, () => "contact.created"),
    ]);
    const { total } = (await world.send("owner", "GET", `/contacts?location_id=${world.north}`)).body;
    expect(total).toBe(99);

    const again = await bulk(contacts, headers);
    expect([again.result.body, again.events]).toEqual([result.body, []]);
  });

  test("an import creates the others, and reports the lines", async () => {
    const caller = await world.service.inLocation(world.acme, world.south);
    const path = join(folder, "people.csv");
    const kept = join(folder, "refused.csv");
    const rows = Array.from({ length: 450 }, (_, n) => `i${n}@x.com,${n % 150 === 20 ? "Atlantis" : "Rome"}`);
    rows[5] = "no address,Rome";
    await writeFile(path, ["email,city", ...rows].join("\n"));
    const refusedRows = createRefusedFile(kept);
    const reached: number[] = [];
    const report = await importContacts(caller, readCsvFile(path), {
      refusedRows,
      progress: ({ rows: done }) => reached.push(done),
    });
    await refusedRows.close();
    expect(report).toMatchObject({ created: 446, refused_count: 4, stopped_after_line: null });
    expect(report.refused).toEqual([
      { line: 7, errors: { email: ["The email field must be a valid email address."] } },
      ...[22, 172, 322].map((line) => ({ line, errors: refused })),
    ]);
    expect((await readFile(kept, "utf8")).split("\n").slice(2, 4)).toEqual([
      `22,The database refuses this contact (${code}).,i20@x.com,Atlantis`,
      `172,The database refuses this contact (${code}).,i170@x.com,Atlantis`,
    ]);
    expect(reached.at(-1)).toBe(450);
    expect(reached).toEqual(reached.toSorted((a, b) => a - b));
    expect(await importContacts(caller, readCsvFile(path))).toMatchObject({ unchanged: 446, refused_count: 4 });
  });

  test("an error that is not caused by a row is rethrown", async () => {
    const caller = await world.service.inLocation(world.acme, world.south);
    const path = join(folder, "few.csv");
    await writeFile(path, "email\none@y.com\ntwo@y.com\n");
    let changes = 0;
    const broken = {
      ...caller,
      change: async () => Promise.reject(Object.assign(new Error(`${(changes += 1)}`), { code: "42P01" })),
    };
    await expect(importContacts(broken, readCsvFile(path))).rejects.toThrow("1");
    expect(changes).toBe(1);
  });
});
