/** Ids in bodies: every field that names no record of the location is reported, all at once, and never as 404. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contactOfLocation } from "../../src/crm/contact-activity.ts";
import { personWithAccess, readReferences } from "../../src/crm/references.ts";
import type { Caller, LocationContext } from "../../src/events/caller.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact } from "../support/given.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const references = { contact_id: contactOfLocation, owner_user_id: personWithAccess };

describe.each([...databaseKinds])("readReferences on %s", (kind) => {
  let world: World;
  let north: Caller<LocationContext>;
  beforeAll(async () => {
    world = await createWorld(kind);
    north = await world.service.inLocation(world.acme, world.north);
  });
  afterAll(() => world?.close());

  test("returns the named records, and null for null and omitted fields", async () => {
    const { id, name, phone_display, email } = await givenContact(world);
    const { nora } = world.users;
    expect(await readReferences(north, { contact_id: id, owner_user_id: nora }, references)).toEqual({
      contact_id: { id, name, phone_display, email },
      owner_user_id: { id: nora, name: "Nora" },
    });
    expect(await readReferences(north, { contact_id: null }, references)).toEqual({
      contact_id: null,
      owner_user_id: null,
    });
  });

  test("reports every field at once: missing, of another workspace, of another location, deleted", async () => {
    const contact = await givenContact(world);
    await world.send("owner", "DELETE", `/contacts/${contact.id}`, { location_id: world.north });
    const south = await world.service.inLocation(world.acme, world.south);
    const errors = {
      contact_id: ["The contact id field must name a contact of the location."],
      owner_user_id: ["The owner user id field must name a person who has access to the location."],
    };
    for (const [caller, given] of [
      [north, { contact_id: 424_242, owner_user_id: 424_242 }],
      [north, { contact_id: contact.id, owner_user_id: world.users.otto }],
      [south, { contact_id: (await givenContact(world)).id, owner_user_id: world.users.nora }],
    ] as const) {
      await expect(readReferences(caller, given, references)).rejects.toMatchObject({ errors });
    }
  });
});
