/** The plan of a batch of contacts, without a database: who is created, who is changed, who is refused, in which order. */
import { describe, expect, test } from "vitest";
import { toColumns } from "../../src/crm/contacts/write/contact.columns.ts";
import { ContactIndex } from "../../src/crm/contacts/write/contact.index.ts";
import type { ContactState } from "../../src/crm/contacts/write/contact.index.ts";
import { matchAsUpsert, matchOnImport, planContacts } from "../../src/crm/contacts/write/contact.plan.ts";
import type { Plan } from "../../src/crm/contacts/write/contact.plan.ts";
import type { BatchInput } from "../../src/crm/contacts/write/contact.write.ts";
import type { ContactInput } from "../../src/crm/contacts/contact.schema.ts";

const now = new Date("2026-03-01T12:00:00.000Z");
const before = Date.parse("2026-01-01T00:00:00.000Z");
const owners = new Map([[7, "Nora"]]);

/** The contact that is stored with `id` and made from `input` long ago. */
function stored(id: number, input: ContactInput): { id: number; state: ContactState } {
  const created = { owners, now, match: () => undefined };
  const { state } = planContacts(new ContactIndex(), [toColumns(input, "US")], created).created[0]!;
  return { id, state: { ...state, created_at: before, updated_at: before, last_activity_at: before } };
}

const matches = { upsert: matchAsUpsert, import: matchOnImport, create: () => () => undefined };

function plan(
  items: readonly BatchInput[],
  {
    there = [],
    elsewhere = {},
    mode = "upsert",
  }: { there?: ReturnType<typeof stored>[]; elsewhere?: Record<string, number>; mode?: keyof typeof matches } = {},
): Plan {
  const index = new ContactIndex();
  for (const { id, state } of there) index.add({ id, state });
  for (const [reference, id] of Object.entries(elsewhere)) index.addReference(reference, id);
  const match = matches[mode](index);
  return planContacts(
    index,
    items.map(({ tags = [], ...input }) => ({ ...toColumns(input, "US"), tags })),
    { owners, now, match },
  );
}

/** `created`, `updated 3`, `refused external_ref` … for each item; contacts that are made here are counted a, b, c. */
function told({ outcomes, created }: Plan): string[] {
  return outcomes.map((outcome) => {
    if (outcome.outcome === "refused") return `refused ${Object.keys(outcome.errors).join(" ")}`;
    const { contact, duplicate } = outcome;
    const name = (held: typeof contact) => held.id ?? "abc"[created.indexOf(held)];
    return `${outcome.outcome} ${name(contact)}${duplicate === undefined ? "" : ` beside ${name(duplicate)}`}`;
  });
}

const ada = stored(1, { first_name: "Ada", email: "Ada@x.com", phone: "212 555 0101", external_ref: "ada" });
const bob = stored(2, { first_name: "Bob", email: "bob@x.com", phone: "212 555 0102", external_ref: "bob" });
const twin = stored(3, { first_name: "Twin", email: "ada@x.com" });

describe("planContacts", () => {
  const rows: [name: string, items: ContactInput[], options: Parameters<typeof plan>[1], expected: string[]][] = [
    ["creates whom nobody is", [{ email: "new@x.com" }], {}, ["created a"]],
    ["finds by e-mail, whatever its case", [{ email: "ADA@X.com", city: "Rome" }], { there: [ada] }, ["updated 1"]],
    [
      "finds by phone, however it is written",
      [{ phone: "+1 (212) 555-0101", city: "Rome" }],
      { there: [ada] },
      ["updated 1"],
    ],
    [
      "changes nothing where nothing differs",
      [{ email: "Ada@x.com", first_name: "Ada" }],
      { there: [ada] },
      ["unchanged 1"],
    ],
    [
      "an e-mail wins over a phone, and names the other",
      [{ email: "ada@x.com", phone: "2125550102" }],
      { there: [ada, bob] },
      ["updated 1 beside 2"],
    ],
    [
      "a phone finds where the e-mail does not",
      [{ email: "else@x.com", phone: "2125550102" }],
      { there: [ada, bob] },
      ["updated 2"],
    ],
    ["of several the lowest id is it", [{ email: "ada@x.com", city: "Rome" }], { there: [twin, ada] }, ["updated 1"]],
    [
      "a later item meets whom an earlier one made",
      [{ email: "n@x.com" }, { email: "N@x.com", city: "Rome" }, { email: "N@x.com", city: "Rome" }],
      {},
      ["created a", "updated a", "unchanged a"],
    ],
    [
      "a later item meets an earlier one's new phone",
      [
        { email: "ada@x.com", phone: "2125550199" },
        { phone: "2125550199", city: "Rome" },
      ],
      { there: [ada] },
      ["updated 1", "updated 1"],
    ],
    [
      "a later item no longer meets what an earlier one gave up",
      [{ phone: "2125550101", email: "other@x.com" }, { email: "ada@x.com" }],
      { there: [ada] },
      ["updated 1", "created a"],
    ],
    [
      "what one gives up is the next one's",
      [
        { phone: "2125550101", email: "other@x.com" },
        { email: "ada@x.com", city: "Rome" },
      ],
      { there: [ada, twin] },
      ["updated 1", "updated 3"],
    ],
    [
      "a stored contact comes before one that is made",
      [
        { phone: "2125550103" },
        { phone: "2125550104" },
        { email: "bob@x.com", phone: "2125550103" },
        { phone: "2125550103", city: "Rome" },
      ],
      { there: [bob] },
      ["created a", "created b", "updated 2 beside a", "updated 2"],
    ],
    [
      "an import creates who shares a phone with somebody of another e-mail",
      [
        { email: "eve@x.com", phone: "2125550102" },
        { email: "joe@x.com", phone: "2125550102" },
        { email: "EVE@x.com", phone: "2125550102" },
      ],
      { there: [bob], mode: "import" },
      ["created a", "created b", "updated a beside 2"],
    ],
    [
      "an import finds by phone who has no e-mail, and who gives none",
      [
        { phone: "2125550102", city: "Rome" },
        { phone: "2125550105", city: "Rome" },
        { phone: "2125550105", email: "eve@x.com" },
        { phone: "2125550105", email: "joe@x.com" },
        { phone: "2125550105", email: null, city: "Oslo" },
      ],
      { there: [bob], mode: "import" },
      ["updated 2", "created a", "updated a", "created b", "updated a"],
    ],
    [
      "create takes an e-mail that another has",
      [{ first_name: "Eve", email: "ada@x.com" }],
      { there: [ada], mode: "create" },
      ["created a"],
    ],
    [
      "refuses a reference that is taken elsewhere",
      [{ email: "n@x.com", external_ref: "r" }],
      { elsewhere: { r: 99 } },
      ["refused external_ref"],
    ],
    [
      "refuses a reference that another contact has",
      [{ email: "ada@x.com", external_ref: "bob" }],
      { there: [ada, bob] },
      ["refused external_ref"],
    ],
    [
      "its own reference again is no duplicate",
      [{ email: "ada@x.com", external_ref: "ada", city: "Rome" }],
      { there: [ada], elsewhere: { ada: 1 } },
      ["updated 1"],
    ],
    [
      "refuses a reference that an earlier item took",
      [
        { email: "n@x.com", external_ref: "r" },
        { email: "m@x.com", external_ref: "r" },
      ],
      {},
      ["created a", "refused external_ref"],
    ],
    [
      "takes a reference that an earlier item gave up",
      [
        { email: "ada@x.com", external_ref: "new" },
        { email: "n@x.com", external_ref: "ada" },
      ],
      { there: [ada], elsewhere: { ada: 1 } },
      ["updated 1", "created a"],
    ],
    [
      "a refused item takes nothing",
      [
        { email: "n@x.com", external_ref: "r", owner_user_id: 8 },
        { email: "m@x.com", external_ref: "r" },
      ],
      {},
      ["refused owner_user_id", "created a"],
    ],
    ["refuses an owner without access", [{ email: "n@x.com", owner_user_id: 8 }], {}, ["refused owner_user_id"]],
    [
      "names every failing field",
      [{ email: "n@x.com", owner_user_id: 8, external_ref: "r" }],
      { elsewhere: { r: 99 } },
      ["refused owner_user_id external_ref"],
    ],
    [
      "a refused item stops no other",
      [
        { email: "n@x.com", owner_user_id: 8 },
        { email: "n@x.com", owner_user_id: 7 },
      ],
      {},
      ["refused owner_user_id", "created a"],
    ],
  ];
  test.each(rows)("%s", (_name, items, options, expected) => {
    expect(told(plan(items, options))).toEqual(expected);
  });

  test("tells what changed, field by field, as the API names them", () => {
    const { steps } = plan(
      [
        {
          email: "ada@x.com",
          phone: "+44 20 7946 0018",
          first_name: "Ada",
          last_name: "L",
          owner_user_id: 7,
          dnd: true,
        },
      ],
      {
        there: [ada],
      },
    );
    expect(steps.map(({ event, changes }) => ({ event, changes }))).toEqual([
      {
        event: "contact.updated",
        changes: [
          { field: "last_name", old: "", new: "L" },
          { field: "email", old: "Ada@x.com", new: "ada@x.com" },
          { field: "phone", old: "(212) 555-0101", new: "+44 20 7946 0018" },
          { field: "dnd", old: false, new: true },
          { field: "owner_user_id", old: null, new: 7 },
        ],
      },
    ]);
    expect(steps[0]!.state).toMatchObject({
      name: "Ada L",
      name_key: "ada l",
      email_key: "ada@x.com",
      phone_key: "+442079460018",
      owner_name: "Nora",
      created_at: before,
      updated_at: now.getTime(),
      last_activity_at: now.getTime(),
    });
  });

  test("says by what each was found, and as whom", () => {
    const { outcomes } = plan(
      [
        { email: "ada@x.com", first_name: "A" },
        { phone: "2125550102", first_name: "B" },
        { phone: "2125550102", first_name: "C" },
        { email: "new@x.com" },
      ],
      { there: [ada, bob] },
    );
    expect(outcomes.map((made) => made.outcome !== "refused" && [made.found?.by, made.found?.name])).toEqual([
      ["email", "Ada"],
      ["phone", "Bob"],
      ["phone", "B"],
      [undefined, undefined],
    ]);
  });

  test("each event shows the contact as it was at that moment", () => {
    const { steps, created } = plan([
      { email: "n@x.com", city: "Rome" },
      { email: "n@x.com", city: "Oslo" },
    ]);
    expect(steps.map(({ event, state }) => [event, state.city])).toEqual([
      ["contact.created", "Rome"],
      ["contact.updated", "Oslo"],
    ]);
    expect(created.map(({ state }) => state.city)).toEqual(["Oslo"]);
  });

  test("a contact that changes twice is written once", () => {
    const { updated, steps } = plan(
      [
        { email: "ada@x.com", city: "Rome" },
        { email: "ada@x.com", zip: "10001" },
      ],
      { there: [ada] },
    );
    expect(steps.length).toBe(2);
    expect([...updated.keys()].map(({ state }) => [state.city, state.zip])).toEqual([["Rome", "10001"]]);
  });

  const email = "Ada@x.com";
  const columns: [string, Parameters<typeof plan>[0], string[]][] = [
    ["a text and its key", [{ email, city: "Rome" }], ["city", "city_key"]],
    [
      "a name, from which the one that is shown comes",
      [{ email, last_name: "Byron" }],
      ["last_name", "last_name_key", "name", "name_key"],
    ],
    ["an address in other letters, which has the same key", [{ email: "ada@x.com" }], ["email"]],
    [
      "what one item sets and the next sets back",
      [
        { email, external_ref: "A1" },
        { email, external_ref: null },
      ],
      ["external_ref", "external_ref_key"],
    ],
  ];
  test.each(columns)("the columns that change: %s", (_, items, changed) => {
    const { updated } = plan(items, { there: [ada] });
    expect([...updated.values()].map((names) => [...names].toSorted())).toEqual([changed]);
  });

  describe("tags", () => {
    const tag = (id: number, name = `Tag ${id}`) => ({ id, name, color: null });
    const [vip, lead, old] = [tag(1, "VIP"), tag(2, "lead"), tag(3, "old")];
    const tagged = { ...ada, state: { ...ada.state, tags: [lead] } };

    test("come after the contact, each with an event that shows those before it", () => {
      const made = plan([{ email: "n@x.com", tags: [vip, lead, vip] }]);
      expect(made.steps.map(({ event, state }) => [event, state.tags.map(({ name }) => name)])).toEqual([
        ["contact.created", []],
        ["contact.tag_added", ["VIP"]],
        ["contact.tag_added", ["lead", "VIP"]],
      ]);
    });

    test("that are added alone touch the contact, whose own fields stay as they were", () => {
      const made = plan(
        [
          { email: "Ada@x.com", tags: [lead, old] },
          { email: "Ada@x.com", tags: [old] },
        ],
        { there: [tagged] },
      );
      expect(told(made)).toEqual(["updated 1", "unchanged 1"]);
      expect([made.updated.size, made.touched.map(({ id }) => id)]).toEqual([0, [1]]);
      expect(made.steps).toMatchObject([
        { event: "contact.tag_added", tag: old, state: { updated_at: before, last_activity_at: now.getTime() } },
      ]);
    });

    test("beside other changes are of a contact that is written once", () => {
      const items = [
        { email: "Ada@x.com", tags: [vip] },
        { email: "Ada@x.com", city: "Rome", tags: [old] },
      ];
      const made = plan(items, { there: [tagged] });
      expect([[...made.updated.keys()].map(({ id }) => id), made.touched]).toEqual([[1], []]);
      expect(made.steps.map(({ event }) => event)).toEqual([
        "contact.tag_added",
        "contact.updated",
        "contact.tag_added",
      ]);
      expect([...made.updated.keys()].map(({ state }) => state.tags)).toEqual([[lead, old, vip]]);
    });

    test("beyond a hundred refuse the row, those that the contact has counted", () => {
      const hundred = Array.from({ length: 100 }, (_, n) => tag(n + 10));
      const items = [
        { email: "Ada@x.com", tags: hundred, city: "Rome" },
        { email: "new@x.com", tags: hundred },
      ];
      expect(told(plan(items, { there: [tagged] }))).toEqual(["refused tags", "created a"]);
      expect(told(plan([{ email: "Ada@x.com", tags: [lead, ...hundred.slice(1)] }], { there: [tagged] }))).toEqual([
        "updated 1",
      ]);
    });
  });

  test("a reference that changes hands is released first", () => {
    const there = [ada, bob];
    const swap = plan(
      [
        { email: "ada@x.com", external_ref: "free" },
        { email: "bob@x.com", external_ref: "ada" },
        { email: "ada@x.com", external_ref: "bob" },
      ],
      { there, elsewhere: { ada: 1, bob: 2 } },
    );
    expect(told(swap)).toEqual(["updated 1", "updated 2", "updated 1"]);
    expect(swap.released.map(({ id }) => id).toSorted()).toEqual([1, 2]);
    const alone = plan([{ email: "ada@x.com", external_ref: "free" }], { there, elsewhere: { ada: 1 } });
    expect(alone.released).toEqual([]);
  });

  test.each([
    [{ first_name: "Ada", last_name: "L", email: "a@x.com" }, "Ada L"],
    [{ last_name: "L", email: "a@x.com" }, "L"],
    [{ first_name: "Ada", phone: "2125550100" }, "Ada"],
    [{ email: "a@x.com", phone: "2125550100" }, "a@x.com"],
    [{ phone: "2125550100" }, "(212) 555-0100"],
    [{ phone: "ask for Joe" }, "ask for Joe"],
    [{}, "Unnamed contact"],
  ] satisfies [ContactInput, string][])("is called %j: %s", (input, name) => {
    expect(plan([input], { mode: "create" }).created[0]!.state.name).toBe(name);
  });
});
