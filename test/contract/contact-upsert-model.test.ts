/** Random creates, upserts and deletes, in random batches, give the same contacts as an in-memory model. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ContactInput } from "../../src/crm/contacts/contact.schema.ts";
import { deleteContact } from "../../src/crm/contacts/contact.service.ts";
import { rewriteContact, writeContacts } from "../../src/crm/contacts/write/contact.write.ts";
import type { WrittenItem } from "../../src/crm/contacts/write/contact.write.ts";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import { openLocation } from "../../src/crm/pipelines/open-location.service.ts";
import { runsOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

type Input = Pick<ContactInput, "email" | "phone" | "external_ref" | "city">;
type Step =
  | { do: "upsert" | "import" | "create"; items: Input[] }
  | { do: "patch"; which: number; input: Input }
  | { do: "delete"; which: number };

const input: fc.Arbitrary<Input> = fc.record(
  {
    email: fc.constantFrom("a@x.com", "A@x.com", "b@x.com", null),
    phone: fc.constantFrom("2125550101", "(212) 555-0101", "2125550102", "nobody", null),
    external_ref: fc.constantFrom("r", "s", null),
    city: fc.constantFrom("Rome", "Oslo"),
  },
  { requiredKeys: [] },
);

const which = fc.nat(3);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constantFrom("upsert" as const, "import" as const),
        items: fc.array(input, { minLength: 1, maxLength: 5 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("create" as const),
        items: fc.array(input, { minLength: 1, maxLength: 2 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("patch" as const), which, input }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), which }) },
  ),
  { minLength: 1, maxLength: 8 },
);

const shownPhones: Record<string, string> = { "2125550101": "(212) 555-0101", "2125550102": "(212) 555-0102" };

interface Modelled {
  email: string | null;
  phone: string | null;
  reference: string | null;
  city: string | null;
  deleted: boolean;
  events: number;
}

/** The model: the rules of the API over a list in id order, one contact at a time. */
class Model {
  readonly contacts: Modelled[] = [];

  living(): Modelled[] {
    return this.contacts.filter(({ deleted }) => !deleted);
  }

  upsert(given: Input, isOther: (byPhone: Modelled) => boolean = () => false): string {
    const email = given.email?.toLowerCase();
    const byEmail = email ? this.living().find((contact) => contact.email?.toLowerCase() === email) : undefined;
    const byPhone = given.phone ? this.living().find((contact) => contact.phone === toShown(given.phone)) : undefined;
    const found = byEmail ?? (byPhone === undefined || isOther(byPhone) ? undefined : byPhone);
    return found === undefined ? this.create(given) : this.change(found, given);
  }

  /** If no contact has the e-mail address, a contact with a different one is a different person. */
  import(given: Input): string {
    return this.upsert(given, ({ email }) => Boolean(email) && Boolean(given.email));
  }

  create(given: Input): string {
    const contact = { email: null, phone: null, reference: null, city: null, deleted: false, events: 0 };
    if (this.#isTaken(given, contact)) return "refused";
    this.contacts.push(contact);
    this.change(contact, given);
    contact.events = 1;
    return `created ${this.contacts.length - 1}`;
  }

  change(contact: Modelled, given: Input): string {
    if (this.#isTaken(given, contact)) return "refused";
    const before = JSON.stringify(contact);
    if (given.email !== undefined) contact.email = given.email;
    if (given.phone !== undefined) contact.phone = toShown(given.phone);
    if (given.external_ref !== undefined) contact.reference = given.external_ref;
    if (given.city !== undefined) contact.city = given.city ?? null;
    const outcome = JSON.stringify(contact) === before ? "unchanged" : "updated";
    if (outcome === "updated") contact.events += 1;
    return `${outcome} ${this.contacts.indexOf(contact)}`;
  }

  #isTaken({ external_ref }: Input, contact: Modelled): boolean {
    if (external_ref === undefined || external_ref === null) return false;
    return this.contacts.some((other) => other !== contact && other.reference === external_ref);
  }
}

function toShown(phone: string | null | undefined): string | null {
  return phone === null || phone === undefined ? null : (shownPhones[phone] ?? phone);
}

describe.each(databaseKinds)("contacts on %s", (kind) => {
  let world: World;
  let runs = 0;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  async function freshLocation(): Promise<Caller<LocationContext>> {
    const inAcme = world.service.inWorkspace(world.acme);
    const { id } = await inAcme.change((change) => openLocation(change, { name: "A model's", country: "US" }));
    return world.service.inLocation(world.acme, id);
  }

  test("follow the model", { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const caller = await freshLocation();
        // References are unique in the whole service, so each run uses its own.
        const prefix = `${(runs += 1)} `;
        const own = (item: Input): Input =>
          item.external_ref === undefined || item.external_ref === null
            ? item
            : { ...item, external_ref: prefix + item.external_ref };
        const model = new Model();
        const ids: number[] = [];
        const told = (written: WrittenItem): string => {
          if (written.outcome === "refused") return "refused";
          if (!ids.includes(written.contact.id!)) ids.push(written.contact.id!);
          return `${written.outcome} ${ids.indexOf(written.contact.id!)}`;
        };

        for (const step of given) {
          if ("items" in step) {
            const expected = step.items.map((item) => model[step.do](item));
            const written = await caller.change((change) => writeContacts(change, step.items.map(own), step.do));
            expect(written.map(told)).toEqual(expected);
            continue;
          }
          const contact = model.living()[step.which];
          if (contact === undefined) continue;
          const id = ids[model.contacts.indexOf(contact)]!;
          if ("input" in step) {
            const expected = model.change(contact, step.input);
            expect(told(await caller.change((change) => rewriteContact(change, id, own(step.input))))).toBe(expected);
          } else {
            contact.deleted = true;
            contact.events += 1;
            await caller.change((change) => deleteContact(change, id));
          }
        }

        const rows = await caller.rows<Modelled & { deleted: number | boolean }>(
          `select email, phone_display as phone, external_ref as reference, city, deleted_at is not null as deleted,
             (select count(*) from events where contact_id = contacts.id) as events
           from contacts where location_id = ? order by id`,
          [caller.location.id],
        );
        const found = rows.map((row) => ({
          ...row,
          reference: row.reference === null ? null : row.reference.slice(prefix.length),
          deleted: Boolean(row.deleted),
        }));
        expect(found).toEqual(model.contacts);
      }),
      runsOf(`upserts on ${kind}`, 25, 150),
    );
  });
});
