/** GET /contacts/{id} */
import { contract, row } from "../support/contract.ts";
import { givenContact, givenTaggedContact } from "../support/given.ts";

contract("getContact", [
  row({
    name: "gives the full shape with what belongs to the contact",
    async given(world) {
      const { contact, tag } = await givenTaggedContact(world);
      await world.send("owner", "POST", `/contacts/${contact.id}/notes`, { location_id: world.north, body: "First" });
      await world.send("owner", "POST", `/contacts/${contact.id}/notes`, {
        location_id: world.north,
        body: "Second",
        pinned: true,
      });
      return { contact, tag };
    },
    send: (world, { contact }) => ["GET", `/contacts/${contact.id}?location_id=${world.north}`],
    expect: {
      status: 200,
      body: (_world, { contact, tag }) => ({
        id: contact.id,
        tags: [{ id: tag.id, name: tag.name, color: "#112233" }],
        notes: [
          { body: "Second", pinned: true, user: null },
          { body: "First", pinned: false, user: null },
        ],
        activities: [
          { kind: "note.added" },
          { kind: "note.added" },
          { kind: "contact.tag_added" },
          { kind: "contact.created" },
        ],
        opportunities: [],
        tasks: [],
        conversations: [],
      }),
    },
  }),
  row({
    name: "a contact of another location of the same workspace is not found",
    given: givenContact,
    send: (world, given) => ["GET", `/contacts/${given.id}?location_id=${world.south}`],
    expect: { status: 404 },
  }),
  ...["0", "-1", "abc", "1.5", "99999999", "9007199254740993", "92233720368547758080", "1e3"].map((id) =>
    row({
      name: `the id ${id} is not found`,
      send: (world) => ["GET", `/contacts/${id}?location_id=${world.north}`],
      expect: { status: 404 },
      async afterwards(_world, _given, body) {
        if (JSON.stringify(body) !== '{"error":"contact.not_found"}') throw new Error(JSON.stringify(body));
      },
    }),
  ),
  row({
    name: "a deleted contact is not found",
    async given(world) {
      const contact = await givenContact(world);
      await world.send("owner", "DELETE", `/contacts/${contact.id}`, { location_id: world.north });
      return contact;
    },
    send: (world, given) => ["GET", `/contacts/${given.id}?location_id=${world.north}`],
    expect: { status: 404, exactly: { error: "contact.not_found" } },
  }),
]);
