/** Custom values beside deletions of their fields, and merges: no row refers to a field or record that is gone, whether the database checks it or not. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runsOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, givenOpportunity, made, unique } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(databaseKinds)("custom values on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  const send = (method: string, path: string, body: object = {}) =>
    world.send("owner", method, path, { location_id: world.north, ...body });
  const define = (on: string) =>
    made(world.send("owner", "POST", "/custom-fields", { on, type: "text", name: "Race", key: `race_${unique()}` }));

  interface Field {
    readonly id: number;
    readonly key: string;
  }

  const orphans = async (): Promise<unknown[]> => [
    ...(await world.service.database.rows(`select id from custom_values
      where field_id not in (select id from custom_fields) or contact_id not in (select id from contacts)`)),
    ...(await world.service.database.rows(`select id from opportunity_values
      where field_id not in (select id from custom_fields) or opportunity_id not in (select id from opportunities)`)),
  ];

  const valuesLeft = () =>
    world.service.database.rows("select field_id from custom_values union all select field_id from opportunity_values");

  const step = fc.record({
    what: fc.constantFrom("create", "change", "change", "deal", "merge", "delete field", "delete deal"),
    record: fc.nat(3),
    field: fc.nat(2),
  });

  test("are written or refused beside the deletion of their field", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
        const [contacts, deals] = [[] as number[], [] as number[]];
        for (let number = 0; number < 4; number++) {
          contacts.push((await givenContact(world)).id);
          deals.push((await givenOpportunity(world, { contact_id: contacts[number]! })).id);
        }
        const [ofContacts, ofDeals] = [[] as Field[], [] as Field[]];
        for (let number = 0; number < 3; number++) {
          ofContacts.push(await define("contact"));
          ofDeals.push(await define("opportunity"));
        }
        const statuses = await Promise.all(
          steps.map(async ({ what, record, field }, number) => {
            const given = { custom_fields: { [ofContacts[field]!.key]: `Value ${number}` } };
            const ofOther = { custom_fields: { [ofDeals[field]!.key]: `Value ${number}` } };
            const answer = await {
              create: () => send("POST", "/contacts", { first_name: "Racer", ...given }),
              change: () => send("PATCH", `/contacts/${contacts[record]}`, given),
              deal: () => send("PATCH", `/opportunities/${deals[record]}`, ofOther),
              merge: () =>
                send("POST", `/contacts/${contacts[record]}/merge`, { contact_id: contacts[(record + 1) % 4] }),
              "delete field": () =>
                send("DELETE", `/custom-fields/${(number % 2 === 0 ? ofContacts : ofDeals)[field]!.id}`),
              "delete deal": () => send("DELETE", `/opportunities/${deals[record]}`),
            }[what]();
            return answer.status;
          }),
        );
        expect(statuses.filter((status) => status >= 500)).toEqual([]);
        expect(await orphans()).toEqual([]);
        for (const { id } of [...ofContacts, ...ofDeals]) await send("DELETE", `/custom-fields/${id}`);
        expect(await valuesLeft()).toEqual([]);
      }),
      runsOf(`values beside deletions of fields on ${kind}`, 8, 150),
    );
  });
});
