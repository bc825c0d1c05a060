/** Two changes of one record at once: the second judges, tells and returns what the first has left. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createChannel, updateChannel } from "../../src/crm/channels/channel.service.ts";
import { getRecordRow } from "../../src/crm/contacts/contact.queries.ts";
import { updateContact } from "../../src/crm/contacts/contact.service.ts";
import { addContactTag } from "../../src/crm/contacts/contact-tags.service.ts";
import { updateLocation } from "../../src/tenancy/locations/location.service.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, made } from "../support/given.ts";
import { meet } from "../support/meet.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each([...databaseKinds])("changes at once on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  test("an event of a location has the fields that another change has set meanwhile", async () => {
    const { events } = await world.eventsDuring(() =>
      meet(world.service.database, world.service.inWorkspace(world.acme), {
        first: (change) => updateLocation(change, world.north, { city: "Kiel" }),
        second: (change) => updateLocation(change, world.north, { zip: "24103" }),
      }),
    );
    expect(events.map(({ data }) => data)).toMatchObject([{ city: "Kiel" }, { city: "Kiel", zip: "24103" }]);
  });

  test("an event of a contact has the values and tags that another change has set meanwhile", async () => {
    const caller = await world.service.inLocation(world.acme, world.north);
    for (const key of ["one", "two"])
      await made(world.send("owner", "POST", "/custom-fields", { on: "contact", type: "text", name: key, key }));
    const { id: tag } = await made(world.send("owner", "POST", "/tags", { name: "Met" }));
    const { id } = await givenContact(world);
    const { events } = await world.eventsDuring(() =>
      meet(world.service.database, caller, {
        first: async (change) => {
          await updateContact(change, id, { custom_fields: { one: "1" } });
          await addContactTag(change, id, { tag_id: tag, name: "" }, getRecordRow);
        },
        second: (change) => updateContact(change, id, { custom_fields: { two: "2" } }),
      }),
    );
    expect(events.at(-1)?.data).toMatchObject({ custom_fields: { one: "1", two: "2" }, tags: [{ id: tag }] });
  });

  test("a channel whose transport changes meanwhile gets no field that the new one has not", async () => {
    const caller = await world.service.inLocation(world.acme, world.north);
    const transport_url = "https://gateway.example/send";
    const { id } = await caller.change((change) =>
      createChannel(change, { kind: "sms", name: "Texts", transport: "http", transport_url }),
    );
    const second = await meet(world.service.database, caller, {
      first: (change) => updateChannel(change, id, { transport: "log" }),
      second: (change) => updateChannel(change, id, { transport_url: `${transport_url}/again` }),
    });
    expect(second).toMatchObject({ status: "rejected", reason: { errors: { transport_url: [expect.any(String)] } } });
  });
});
