/** POST /contacts/{id}/tags */
import { expect } from "vitest";
import { limits } from "../../src/vocabulary/limits.ts";
import { contract, row } from "../support/contract.ts";
import { givenContact, givenTag, givenTaggedContact } from "../support/given.ts";
import type { World } from "../support/world.ts";
import { payloadOf } from "../support/events.ts";

async function both(world: World) {
  return { contact: await givenContact(world), tag: await givenTag(world) };
}

/** A contact with one tag less than the limit, and `more` further tags. */
async function nearlyFull(world: World, more: number) {
  const contact = await givenContact(world);
  const tags = await Promise.all(Array.from({ length: limits.contactTags - 1 + more }, () => givenTag(world)));
  const add = (tag: { tag_id: number } | { name: string }) =>
    world.send("owner", "POST", `/contacts/${contact.id}/tags`, { location_id: world.north, ...tag });
  const put = tags.splice(more);
  // Sequentially: ninety-nine changes waiting for the same lock would occupy every connection of the pool.
  for (const { id } of put) expect(await add({ tag_id: id })).toMatchObject({ status: 200 });
  return { contact, put, tags, add };
}

const full = [`The contact has ${limits.contactTags} tags, the most that it can have.`];

contract("addContactTag", [
  row({
    name: "by id, as form tools send it",
    given: both,
    send: (world, { contact, tag }) => [
      "POST",
      `/contacts/${contact.id}/tags`,
      { location_id: String(world.north), tag_id: String(tag.id) },
    ],
    expect: { status: 200, body: (_world, { tag }) => ({ tags: [{ id: tag.id }] }), events: ["contact.tag_added"] },
  }),
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
        activities: [{ kind: "contact.tag_added", data: [{ field: "tag", old: null, new: tag.name }] }, {}],
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
    name: "the id takes precedence over the name",
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
    name: "the event contains the tag",
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
      expect(payloadOf(event!.data)).toMatchObject({
        id: contact.id,
        location_id: world.north,
        tag: { id: tag.id, name: tag.name },
        tags: [{ id: tag.id }],
      });
    },
  }),
  // Integers that no record has as its id are unknown tags as well.
  ...[
    { tag_id: 999_999 },
    { tag_id: 0 },
    { tag_id: -1 },
    { tag_id: 2 ** 63 },
    { tag_id: "0" },
    { name: "no such tag" },
  ].map((tag) =>
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
    name: "a contact has a hundred tags at most, however many are added at once",
    given: (world) => nearlyFull(world, 8),
    send: (world, { contact }) => ["GET", `/contacts/${contact.id}?location_id=${world.north}`],
    expect: { status: 200 },
    async afterwards(world, { contact, put, tags, add }, body) {
      expect(body.tags).toHaveLength(limits.contactTags - 1);
      const given = tags.map(({ id, name }, place) => (place % 2 === 0 ? { tag_id: id as number } : { name }));
      const answers = await Promise.all(given.map(add));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      answers.forEach(({ status, body: answer }, place) => {
        if (status !== 200) expect(answer.errors).toEqual({ [Object.keys(given[place]!)[0]!]: full });
      });
      // Adding a tag that the contact has already still succeeds.
      expect(await add({ tag_id: put[0].id })).toMatchObject({ status: 200 });
      const { body: now } = await world.send("owner", "GET", `/contacts/${contact.id}?location_id=${world.north}`);
      expect(now.tags).toHaveLength(limits.contactTags);
    },
  }),
  ...[1.5, "x", "-1.5", true, [1]].map((tag_id) =>
    row({
      name: `a tag_id ${JSON.stringify(tag_id)} is no id`,
      given: givenContact,
      send: (world, given) => ["POST", `/contacts/${given.id}/tags`, { location_id: world.north, tag_id }],
      expect: { status: 422, body: { errors: { tag_id: ["The tag id field must be a positive integer."] } } },
    }),
  ),
  row({
    name: "neither id nor name: both are reported",
    given: givenContact,
    send: (world, given) => [
      "POST",
      `/contacts/${given.id}/tags`,
      { location_id: world.north, name: "", tag_id: null },
    ],
    expect: { status: 422, body: { errors: { tag_id: [expect.any(String)], name: [expect.any(String)] } } },
  }),
]);
