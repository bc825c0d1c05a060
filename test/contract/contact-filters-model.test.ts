/** For random filters, the list has exactly the contacts that a naive implementation selects. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getRecordRow } from "../../src/crm/contacts/contact.queries.ts";
import { addContactTag } from "../../src/crm/contacts/contact-tags.service.ts";
import { matchesContact } from "../../src/crm/contacts/list/contact-match.ts";
import { parseFilters } from "../../src/crm/contacts/list/contact.filters.ts";
import { listContacts } from "../../src/crm/contacts/list/contact.list.ts";
import { getContact } from "../../src/crm/contacts/contact.queries.ts";
import type { ContactInput } from "../../src/crm/contacts/contact.schema.ts";
import { createContact } from "../../src/crm/contacts/contact.service.ts";
import type { ContactView } from "../../src/crm/contacts/contact.view.ts";
import { createTag } from "../../src/crm/tags/tag.service.ts";
import { createOpportunity } from "../../src/crm/opportunities/opportunity.service.ts";
import { listPipelines } from "../../src/crm/pipelines/pipeline.queries.ts";
import type { PipelineView } from "../../src/crm/pipelines/pipeline.view.ts";
import { createTask, updateTask } from "../../src/crm/tasks/task.service.ts";
import type { Caller, Change, LocationContext } from "../../src/events/caller.ts";
import { runsOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const words = ["Rome", "rome", "Oslo", "os", "Ölberg", "50%", "a_b", "O'Hara", ""];
const emails = ["Ada@x.com", "ada@x.com", "bob@y.org", "b@y.org"];
/** Notations of phone numbers, and the number of each. */
const phones: Record<string, string> = {
  "(212) 555-0101": "+12125550101",
  "+1 212 555 0101": "+12125550101",
  "212.555.0102": "+12125550102",
  "ask for Joe": "ask for joe",
  "ASK for joe": "ask for joe",
};
const tagNames = ["VIP", "Cold lead", "vipers"];
const moments = ["2026-03-01T12:00:00Z", "2026-03-01T12:00:02Z", "2026-03-01T13:00:05+01:00", "2030-01-01T00:00:00Z"];

interface Condition {
  field: string;
  op: string;
  value: unknown;
}
type Filters = (Condition | { any: Condition[] })[];

const text = fc.constantFrom(...words.filter((word) => word !== ""));
const number = fc.integer({ min: -1, max: 40 });
const moment = fc.constantFrom(...moments);
const tag = fc.oneof(fc.constantFrom("vip", "COLD  lead", "none such"), fc.integer({ min: 1, max: 5 }));

function conditions(
  fields: readonly string[],
  value: fc.Arbitrary<unknown>,
  ops: readonly string[],
): fc.Arbitrary<Condition> {
  const field = fc.constantFrom(...fields);
  return fc.oneof(
    fc.record({ field, op: fc.constantFrom(...ops), value }),
    fc.record({ field, op: fc.constantFrom("in", "nin"), value: fc.array(value, { minLength: 1, maxLength: 3 }) }),
    fc.record({ field, op: fc.constantFrom("eq", "neq"), value: fc.constant(null) }),
    fc.record({ field, op: fc.constant("is_null"), value: fc.boolean() }),
  );
}

const equality = ["eq", "neq"];
const matching = [...equality, "contains", "starts_with"];
const ordering = [...equality, "gt", "gte", "lt", "lte"];

const condition = fc.oneof(
  conditions(
    ["first_name", "last_name", "company", "city", "interest", "state", "external_ref", "stage_kind"],
    text,
    matching,
  ),
  conditions(["stage_kind"], fc.constantFrom("open", "WON", "lo"), matching),
  conditions(["name"], fc.constantFrom("rome  OSLO", "Oslo", "rome", "o'hara", "unnamed contact"), matching),
  conditions(["email"], fc.constantFrom("ADA@x.com", "bob@y.org", "y.org", "b"), matching),
  conditions(["phone", "phone_display"], fc.constantFrom(...Object.keys(phones)), equality),
  conditions(["phone_display"], fc.constantFrom("(212)", "0101", "JOE"), ["contains", "starts_with"]).filter(
    ({ op }) => op === "contains" || op === "starts_with",
  ),
  conditions(["id", "owner_user_id", "value_cents", "stage_id"], number, ordering),
  conditions(["stage_id"], fc.integer({ min: 1, max: 6 }), ordering),
  conditions(["created_at", "updated_at", "last_activity_at"], moment, ordering),
  conditions(["dnd", "has_open_task"], fc.boolean(), equality),
  conditions(["tag"], tag, equality),
  conditions(["tag"], fc.constantFrom("VIP", "lead", "cold"), ["contains", "starts_with"]).filter(
    ({ op }) => op === "contains" || op === "starts_with",
  ),
);

const filters: fc.Arbitrary<Filters> = fc.array(
  fc.oneof(
    { arbitrary: condition, weight: 3 },
    fc.record({ any: fc.array(condition, { minLength: 1, maxLength: 3 }) }),
  ),
  { minLength: 1, maxLength: 3 },
);

/** Sixteen contacts at a time. */
const inPieces = { atOnce: 0, piece: 1 };

const fold = (value: string): string => value.toLowerCase().replace(/\s+/g, " ").trim();

function holds(contact: ContactView, { field, op, value }: Condition): boolean {
  if (op === "eq" && value === null) return holds(contact, { field, op: "is_null", value: true });
  if (op === "neq" && value === null) return holds(contact, { field, op: "is_null", value: false });
  if (op === "neq") return !holds(contact, { field, op: "eq", value });
  if (op === "nin") return !holds(contact, { field, op: "in", value });
  if (op === "in") return (value as unknown[]).some((one) => holds(contact, { field, op: "eq", value: one }));
  if (field === "tag") {
    if (op === "is_null") return (contact.tags.length === 0) === value;
    if (op === "eq" && typeof value === "number") return contact.tags.some(({ id }) => id === value);
    return contact.tags.some(({ name }) => matches(fold(name), op, fold(String(value))));
  }
  const found = valueOf(contact, field, op);
  if (op === "is_null") return (found === null || found === "") === value;
  if (found === null) return false;
  if (typeof found === "string") {
    const sought = String(value);
    return matches(found, op, field.startsWith("phone") && op === "eq" ? phones[sought]! : fold(sought));
  }
  if (typeof found === "boolean") return found === value;
  const sought = typeof value === "string" ? Date.parse(value) : Number(value);
  const compared = {
    eq: found === sought,
    gt: found > sought,
    gte: found >= sought,
    lt: found < sought,
    lte: found <= sought,
  };
  return compared[op as keyof typeof compared];
}

function matches(found: string, op: string, sought: string): boolean {
  if (op === "eq") return found === sought;
  return op === "contains" ? found.includes(sought) : found.startsWith(sought);
}

function valueOf(contact: ContactView, field: string, op: string): string | number | boolean | null {
  if (field === "owner_user_id") return contact.owner?.id ?? null;
  if (field === "stage_id") return contact.stage?.id ?? null;
  if (field === "stage_kind") return contact.stage?.kind ?? null;
  if (field === "has_open_task") return contact.next_task !== null;
  if (field.startsWith("phone")) {
    const { phone_display: shown } = contact;
    return shown === null ? null : op === "eq" ? phones[shown]! : shown.toLowerCase();
  }
  const value = contact[field as "city"] as string | number | boolean | null;
  if (field.endsWith("_at")) return Date.parse(String(value));
  if (typeof value !== "string") return value;
  return field === "name" || field === "email" ? fold(value) : value.toLowerCase();
}

/** The opportunities and tasks of contact `n`, in every status; many contacts have none. */
async function giveNeighbours(
  change: Change<LocationContext>,
  id: number,
  n: number,
  { id: pipeline_id, stages }: PipelineView,
) {
  for (let place = 0; place < n % 4; place++) {
    const stage_id = stages[(n + place * 2) % stages.length]!.id;
    await createOpportunity(change, { contact_id: id, pipeline_id, stage_id, value_cents: n, lost_reason: "Price" });
  }
  for (let place = 0; place < n % 3; place++) {
    const task = await createTask(change, { contact_id: id, title: `Task ${place}` });
    if (n % 5 === 0) await updateTask(change, task.id, { completed: true });
  }
}

describe.each(databaseKinds)("filters on %s", (kind) => {
  let world: World;
  let caller: Caller<LocationContext>;
  let contacts: ContactView[] = [];

  beforeAll(async () => {
    world = await createWorld(kind);
    caller = await world.service.inLocation(world.acme, world.north);
    const tags = await Promise.all(
      tagNames.map((name) => caller.change((change) => createTag(change, { name, color: null }))),
    );
    const { data: pipelines } = await listPipelines(caller, {});
    const pipeline = pipelines[0]!;
    const pick = <Value>(values: readonly Value[], step: number): Value => values[step % values.length]!;
    for (let n = 0; n < 36; n++) {
      if (n % 7 === 0) world.clock.advance({ seconds: 1 });
      const input: ContactInput = {
        first_name: pick(words, n),
        last_name: pick(words, n * 5 + 2),
        email: pick([...emails, null], n),
        phone: pick([...Object.keys(phones), null], n * 3),
        company: pick([...words, ""], n * 7) || null,
        city: pick(words, n * 2) || null,
        interest: pick(words, n * 4 + 1) || null,
        state: pick(["NY", "ny", null], n),
        dnd: n % 3 === 0,
        owner_user_id: pick([world.users.nora, world.users.olga, null], n),
        external_ref: n % 4 === 0 ? `${pick(words, n)} ${n}` : null,
      };
      const { id } = await caller.change((change) => createContact(change, input));
      for (const [place, { id: tag_id }] of tags.entries()) {
        if ((n >> place) % 3 === 0)
          await caller.change((change) => addContactTag(change, id, { tag_id, name: null }, getRecordRow));
      }
      await caller.change((change) => giveNeighbours(change, id, n, pipeline));
      contacts.push(await getContact(caller, id));
    }
    // A number in national format is still the number it was given as.
    phones["(212) 555-0102"] = "+12125550102";
    contacts = contacts.toSorted(
      (a, b) => Date.parse(b.last_activity_at!) - Date.parse(a.last_activity_at!) || b.id - a.id,
    );
  });
  afterAll(() => world?.close());

  test("select what a naive implementation selects, in list order", async () => {
    const sample = runsOf(`filters on ${kind}`, 75, 400);
    let picked = 0;
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(filters, async (given) => {
        const naive = contacts.filter((contact) =>
          given.every((element) =>
            "any" in element ? element.any.some((one) => holds(contact, one)) : holds(contact, element),
          ),
        );
        const list = await listContacts(caller, { filters: JSON.stringify(given) });
        expect(list.data.map(({ id }) => id)).toEqual(naive.map(({ id }) => id));
        expect(list.total).toBe(naive.length);
        // Whatever the size of the slices.
        expect(await listContacts(caller, { filters: JSON.stringify(given) }, inPieces)).toEqual(list);
        // The same holds for each contact alone.
        const one = contacts[runs++ % contacts.length]!;
        expect(await matchesContact(caller, one.id, parseFilters(given, "filters"))).toBe(naive.includes(one));
        if (naive.length > 0 && naive.length < contacts.length) picked += 1;
      }),
      sample,
    );
    // Guards against filters that select everything or nothing.
    expect(picked).toBeGreaterThan(sample.numRuns / 4);
  });

  test("a contact of another location matches nothing", async () => {
    const south = await world.service.inLocation(world.acme, world.south);
    const [{ id }] = contacts as [ContactView];
    expect(await Promise.all([caller, south].map((where) => matchesContact(where, id, [])))).toEqual([true, false]);
  });
});
