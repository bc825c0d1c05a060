/** After any sequence of changes, sequential or concurrent, a contact's row has the planned values, and every key matches its text. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ContactField } from "../../src/crm/contacts/contact.fields.ts";
import type { ContactInput } from "../../src/crm/contacts/contact.schema.ts";
import { listContacts } from "../../src/crm/contacts/list/contact.list.ts";
import {
  blankColumns,
  columnNames,
  derive,
  shownColumns,
  toColumns,
} from "../../src/crm/contacts/write/contact.columns.ts";
import type { ContactColumns } from "../../src/crm/contacts/write/contact.columns.ts";
import { rewriteContact, writeContacts } from "../../src/crm/contacts/write/contact.write.ts";
import type { BatchInput, WrittenItem } from "../../src/crm/contacts/write/contact.write.ts";
import { createTag } from "../../src/crm/tags/tag.service.ts";
import type { TagView } from "../../src/crm/tags/tag.view.ts";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import { openLocation } from "../../src/crm/pipelines/open-location.service.ts";
import { inviteUser } from "../../src/tenancy/users/user.service.ts";
import { Unavailable } from "../../src/vocabulary/errors.ts";
import { runsOf, sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

type Step =
  | { do: "upsert" | "import" | "create"; items: ContactInput[]; tagged: boolean }
  | { do: "patch"; which: number; input: ContactInput };

/** Longer than a key, with the same prefix as another text. */
const long = (end: string): string => `${"Ab ".repeat(80)}${end}`;
const texts = fc.constantFrom("Rome", "rome ", "Zoë", long("x"), long("y"));

const input: fc.Arbitrary<ContactInput> = fc.record(
  {
    email: fc.constantFrom("a@x.com", "A@X.com", "b@x.com", `${"long".repeat(50)}@x.com`, null),
    phone: fc.constantFrom("2125550101", "+1 (212) 555-0101", "2125550101 ext. 7", "ask Ann", "ASK  ann", null),
    external_ref: fc.constantFrom("r", "R", "s", long("r"), null),
    first_name: texts,
    last_name: fc.oneof(texts, fc.constant("")),
    company: fc.oneof(texts, fc.constant(null)),
    // 0 and 1: two people; 2: none.
    owner_user_id: fc.constantFrom(0, 1, 2, null),
    dnd: fc.boolean(),
  },
  { requiredKeys: [] },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("upsert" as const, "import" as const, "create" as const),
      items: fc.array(input, { minLength: 1, maxLength: 6 }),
      tagged: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("patch" as const), which: fc.nat(4), input }) },
);

/** Rounds run sequentially; the steps of a round run concurrently. */
const given = fc.array(fc.array(step, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 8 });

type Row = ContactColumns & { readonly id: number };

/** The expected columns, computed by plain code from the fields of the row. */
function expectedOf(row: Row): ContactColumns {
  const read = columnsOf(row);
  const shown = Object.fromEntries(shownColumns.map(([field, column]) => [field, read[column]]));
  const columns = { ...blankColumns, ...toColumns(shown as Record<ContactField, never>, "US") };
  return { ...columns, ...derive(columns) };
}

function columnsOf(row: ContactColumns): ContactColumns {
  const columns = Object.fromEntries(columnNames.map((name) => [name, row[name]])) as unknown as ContactColumns;
  return { ...columns, dnd: Boolean(columns.dnd) };
}

describe.each(sampleOf("columns by database", 1, databaseKinds))("the columns of contacts on %s", (kind) => {
  let world: World;
  let tags: TagView[];
  let owners: number[];
  let runs = 0;
  beforeAll(async () => {
    world = await createWorld(kind);
    const inAcme = world.service.inWorkspace(world.acme);
    const olaf = { email: "olaf@acme.example", name: "Olaf", role: "member" as const, locationIds: null };
    const { id } = await inAcme.change((change) => inviteUser(change, olaf));
    owners = [world.users.olga, id, 999_999];
    tags = [await inAcme.change((change) => createTag(change, { name: "Lead", color: null }))];
  });
  afterAll(() => world?.close());

  async function freshLocation(): Promise<Caller<LocationContext>> {
    const inAcme = world.service.inWorkspace(world.acme);
    const { id } = await inAcme.change((change) => openLocation(change, { name: "A model's", country: "US" }));
    return world.service.inLocation(world.acme, id);
  }

  async function rowsOf(caller: Caller<LocationContext>): Promise<Row[]> {
    return caller.rows<Row>("select * from contacts where location_id = ? order by id", [caller.location.id]);
  }

  test("match its own texts", { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(given, async (sets) => {
        const caller = await freshLocation();
        const prefix = `${(runs += 1)} `;
        const own = (item: ContactInput): ContactInput => ({
          ...item,
          ...(typeof item.external_ref === "string" ? { external_ref: prefix + item.external_ref } : {}),
          ...(typeof item.owner_user_id === "number" ? { owner_user_id: owners[item.owner_user_id]! } : {}),
        });

        const carryOut = async (one: Step): Promise<WrittenItem[]> => {
          if ("items" in one) {
            const items = one.items.map((item): BatchInput => (one.tagged ? { ...own(item), tags } : own(item)));
            return caller.change((change) => writeContacts(change, items, one.do));
          }
          const contact = (await rowsOf(caller))[one.which];
          if (contact === undefined) return [];
          return [await caller.change((change) => rewriteContact(change, contact.id, own(one.input)))];
        };

        for (const set of sets) {
          const ended = await Promise.allSettled(set.map(carryOut));
          const rows = await rowsOf(caller);
          for (const outcome of ended) {
            if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(Unavailable);
            // Concurrent changes may have updated the row since.
            else if (set.length === 1) expectStored(rows, outcome.value);
          }
          for (const row of rows) expect(columnsOf(row)).toEqual(expectedOf(row));
        }
        for (const row of await rowsOf(caller)) await expectFound(caller, row);
      }),
      runsOf(`columns on ${kind}`, 20, 60),
    );
  });

  function expectStored(rows: readonly Row[], written: readonly WrittenItem[]): void {
    for (const one of written) {
      if (one.outcome === "refused") continue;
      const row = rows.find(({ id }) => id === one.contact.id);
      expect(columnsOf(row!)).toEqual(columnsOf(one.contact.state));
    }
  }

  /** By the indexes of its keys. */
  async function expectFound(caller: Caller<LocationContext>, row: Row): Promise<void> {
    const { email, phone_display: phone } = row;
    const asked = [
      ...(email === null ? [] : [{ email }]),
      ...(phone === null ? [] : [{ phone }]),
      ...shownColumns.flatMap(([field, column]) =>
        row[column] === null || row[column] === ""
          ? []
          : [
              {
                filters: JSON.stringify([{ field, op: "eq", value: field === "dnd" ? Boolean(row.dnd) : row[column] }]),
              },
            ],
      ),
      { filters: JSON.stringify([{ field: "name", op: "eq", value: row.name }]) },
    ];
    for (const query of asked) {
      const { data } = await listContacts(caller, query);
      expect(
        data.map(({ id }) => id),
        JSON.stringify(query),
      ).toContain(row.id);
    }
  }
});
