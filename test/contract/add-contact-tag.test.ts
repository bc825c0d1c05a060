/** POST /contacts/{id}/tags */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenContact, givenTag, givenTaggedContact } from "../support/given.ts";
import type { World } from "../support/world.ts";

async function both(world: World) {
  return { contact: await givenContact(world), tag: await givenTag(world) };
}

contract("addContactTag", [
  row({
    name: "by id",
    given: both,
    send: (world, { contact, tag }) => [
      "POST",
      `/contacts/${contact.id}/tags`,
      { location_id: world.north, tag_id: tag.id },
    ],
    expect: {
      status: 200,
      body: (_world, { tag }) => ({
        tags: [{ id: tag.id, name: tag.name, color: tag.color }],
        activities: [{ kind: "contact.tag_added" }, {}],
      }),
      events: ["contact.tag_added"],
    },
  }),
  row({
    name: "by name, whatever the case",
    given: both,
    send: (world, { contact, tag }) => [
      "POST",
      `/contacts/${contact.id}/tags`,
      { location_id: world.north, name: ` ${tag.name.toUpperCase()} ` },
    ],
    expect: { status: 200, body: (_world, { tag }) => ({ tags: [{ id: tag.id }] }), events: ["contact.tag_added"] },
  }),
  row({
    name: "of both the id wins",
    given: both,
    send: (world, { contact, tag }) => [
      "POST",
      `/contacts/${contact.id}/tags`,
      { location_id: world.north, tag_id: tag.id, name: "no such tag" },
    ],
    expect: { status: 200, body: (_world, { tag }) => ({ tags: [{ id: tag.id }] }), events: ["contact.tag_added"] },
  }),
  row({
    name: "twice changes nothing and raises nothing",
    given: givenTaggedContact,
    send: (world, { contact, tag }) => [
      "POST",
      `/contacts/${contact.id}/tags`,
      { location_id: world.north, tag_id: tag.id },
    ],
    expect: { status: 200, body: (_world, { tag }) => ({ tags: [{ id: tag.id }] }) },
  }),
  row({
    name: "the event carries the tag",
    given: both,
    send: (world, { contact, tag }) => [
      "POST",
      `/contacts/${contact.id}/tags`,
      { location_id: world.north, tag_id: tag.id },
    ],
    expect: { status: 200, events: ["contact.tag_added"] },
    async afterwards(world, { contact, tag }) {
      const [event] = await world.service.database.rows<{ data: string }>(
        "select data from events where contact_id = ? order by id desc limit 1",
        [contact.id],
      );
      expect(JSON.parse(event!.data)).toMatchObject({
        id: contact.id,
        location_id: world.north,
        tag: { id: tag.id, name: tag.name },
        tags: [{ id: tag.id }],
      });
    },
  }),
  ...([{ tag_id: 999_999 }, { name: "no such tag" }] as const).map((tag) =>
    row({
      name: `an unknown tag ${JSON.stringify(tag)} is not found`,
      given: givenContact,
      send: (world, given) => ["POST", `/contacts/${given.id}/tags`, { location_id: world.north, ...tag }],
      expect: { status: 404, exactly: { error: "tag.not_found" } },
    }),
  ),
  row({
    name: "a tag of another workspace is not found",
    async given(world) {
      const { body: tag } = await world.send("stranger", "POST", "/tags", { name: "Theirs" });
      return { contact: await givenContact(world), tag };
    },
    send: (world, { contact, tag }) => [
      "POST",
      `/contacts/${contact.id}/tags`,
      { location_id: world.north, tag_id: tag.id },
    ],
    expect: { status: 404, exactly: { error: "tag.not_found" } },
  }),
  row({
    name: "neither id nor name: both are named",
    given: givenContact,
    send: (world, given) => [
      "POST",
      `/contacts/${given.id}/tags`,
      { location_id: world.north, name: "", tag_id: null },
    ],
    expect: { status: 422, body: { errors: { tag_id: [expect.any(String)], name: [expect.any(String)] } } },
  }),
]);
