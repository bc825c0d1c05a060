/** DELETE /contacts/{id}/tags/{tagId} */
import { contract, row } from "../support/contract.ts";
import { givenContact, givenTag, givenTaggedContact } from "../support/given.ts";

contract("removeContactTag", [
  row({
    name: "returns the full contact without the tag",
    given: givenTaggedContact,
    send: (world, { contact, tag }) => [
      "DELETE",
      `/contacts/${contact.id}/tags/${tag.id}`,
      { location_id: world.north },
    ],
    expect: {
      status: 200,
      body: (_world, { tag }) => ({
        tags: [],
        activities: [{ kind: "contact.tag_removed", data: [{ field: "tag", old: tag.name, new: null }] }, {}, {}],
      }),
      events: ["contact.tag_removed"],
    },
  }),
  row({
    name: "a tag that is not applied is not found",
    async given(world) {
      return { contact: await givenContact(world), tag: await givenTag(world) };
    },
    send: (world, { contact, tag }) => [
      "DELETE",
      `/contacts/${contact.id}/tags/${tag.id}`,
      { location_id: world.north },
    ],
    expect: {
      status: 404,
      exactly: { error: "tag.not_found" },
      headers: { "x-error-detail": /^The contact does not have this tag\.$/ },
    },
  }),
  row({
    name: "a tag that does not exist is not found",
    given: givenContact,
    send: (world, given) => ["DELETE", `/contacts/${given.id}/tags/x`, { location_id: world.north }],
    expect: { status: 404, exactly: { error: "tag.not_found" } },
  }),
  row({
    name: "a missing contact is reported first",
    send: (world) => ["DELETE", "/contacts/424242/tags/x", { location_id: world.north }],
    expect: { status: 404, exactly: { error: "contact.not_found" } },
  }),
]);
