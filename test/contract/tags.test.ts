/** GET and POST /tags; PATCH and DELETE /tags/{id}; many contacts with one tag: tag-changes.test.ts */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenContact, givenTag, made } from "../support/given.ts";
import type { World } from "../support/world.ts";

contract("createTag", [
  row({
    name: "returns the tag",
    send: ["POST", "/tags", { name: " VIP ", color: "#A1b2C3" }],
    expect: { status: 201 },
    async afterwards(_world, _given, body) {
      expect(body).toEqual({ id: expect.any(Number), name: "VIP", color: expect.stringMatching(/^#a1b2c3$/i) });
    },
  }),
  row({
    name: "does not require a color",
    send: ["POST", "/tags", { name: "Plain" }],
    expect: { status: 201, body: { color: null } },
  }),
  row({
    name: "names are unique ignoring case",
    given: (world) => givenTag(world, "Straße"),
    send: ["POST", "/tags", { name: "STRASSE" }],
    expect: { status: 422, body: { errors: { name: ["The name has already been taken."] } } },
  }),
  row({
    name: "names are unique per workspace",
    given: (world) => givenTag(world, "Shared name"),
    as: "stranger",
    send: ["POST", "/tags", { name: "Shared name" }],
    expect: { status: 201 },
  }),
  row({
    name: "has at most 255 characters, and a valid color",
    send: ["POST", "/tags", { name: "x".repeat(256), color: "red" }],
    expect: { status: 422, body: { errors: { name: [expect.any(String)], color: [expect.any(String)] } } },
  }),
  row({
    name: "location_id null is ignored",
    send: ["POST", "/tags", { name: "nowhere", location_id: null }],
    expect: { status: 201 },
  }),
  row({ name: "a body that is no object lacks a name", send: ["POST", "/tags", "[]"], expect: { status: 422 } }),
]);

contract("listTags", [
  row({
    name: "returns only the tags of the workspace, by name",
    async given(world) {
      await givenTag(world, "beta");
      await givenTag(world, "Alpha");
      await world.send("stranger", "POST", "/tags", { name: "theirs" });
    },
    send: ["GET", "/tags"],
    expect: { status: 200, body: { data: [{ name: "Alpha" }, { name: "beta" }], next_cursor: null } },
  }),
]);

/** A tag, and a contact that has it. */
async function givenTagged(world: World) {
  const tag = await givenTag(world);
  const contact = await givenContact(world);
  const path = `/contacts/${contact.id}`;
  await made(world.send("owner", "POST", `${path}/tags`, { location_id: world.north, tag_id: tag.id }));
  const tagsAfterwards = async () => {
    const { body } = await world.send("owner", "GET", `${path}?location_id=${world.north}`);
    return body.tags as unknown[];
  };
  return { tag, tagsAfterwards };
}

contract("updateTag", [
  row({
    name: "needs access to every location, since all share it",
    given: (world) => givenTag(world),
    as: "northOnly",
    send: (_world, { id }) => ["PATCH", `/tags/${id}`, { name: "North only" }],
    expect: { status: 403, body: { error: "insufficient_scope", message: expect.stringMatching(/^Tags are shared/) } },
  }),
  row({
    name: "renames it, and its contacts show the new name",
    given: givenTagged,
    send: (_world, { tag }) => ["PATCH", `/tags/${tag.id}`, { name: "Prospect" }],
    expect: { status: 200 },
    async afterwards(_world, { tag, tagsAfterwards }, body) {
      expect(body).toEqual({ ...tag, name: "Prospect" });
      expect(await tagsAfterwards()).toEqual([body]);
    },
  }),
  row({
    name: "changes its color alone",
    given: givenTagged,
    send: (_world, { tag }) => ["PATCH", `/tags/${tag.id}`, { color: "#0000ff" }],
    expect: { status: 200, body: (_world, { tag }) => ({ name: tag.name, color: "#0000ff" }) },
  }),
  row({
    name: "null removes its color",
    given: (world) => givenTag(world, "Bright"),
    send: (_world, { id }) => ["PATCH", `/tags/${id}`, { color: null }],
    expect: { status: 200, body: { name: "Bright", color: null } },
  }),
  row({
    name: "refuses the name of another tag, and an empty one",
    async given(world) {
      await givenTag(world, "Taken");
      return givenTag(world);
    },
    send: (_world, { id }) => ["PATCH", `/tags/${id}`, { name: "TAKEN" }],
    expect: { status: 422, body: { errors: { name: ["The name has already been taken."] } } },
  }),
  row({
    name: "keeps its own name in another case",
    given: (world) => givenTag(world, "loud"),
    send: (_world, { id }) => ["PATCH", `/tags/${id}`, { name: "LOUD" }],
    expect: { status: 200, body: { name: "LOUD" } },
  }),
  row({
    name: "a name cannot be emptied",
    given: (world) => givenTag(world),
    send: (_world, { id }) => ["PATCH", `/tags/${id}`, { name: "" }],
    expect: { status: 422, body: { errors: { name: [expect.any(String)] } } },
  }),
  row({
    name: "a tag of another workspace is not found",
    given: (world) => givenTag(world),
    as: "stranger",
    send: (_world, { id }) => ["PATCH", `/tags/${id}`, { name: "theirs" }],
    expect: { status: 404, exactly: { error: "tag.not_found" } },
  }),
]);

contract("deleteTag", [
  row({
    name: "needs access to every location, since all share it",
    given: (world) => givenTag(world),
    as: "northOnly",
    send: (_world, { id }) => ["DELETE", `/tags/${id}`],
    expect: { status: 403, body: { error: "insufficient_scope", message: expect.stringMatching(/^Tags are shared/) } },
  }),
  row({
    name: "removes it from its contacts",
    given: givenTagged,
    send: (_world, { tag }) => ["DELETE", `/tags/${tag.id}`],
    expect: { status: 204 },
    async afterwards(_world, { tagsAfterwards }) {
      expect(await tagsAfterwards()).toEqual([]);
    },
  }),
  row({
    name: "a deleted tag is not found",
    async given(world) {
      const tag = await givenTag(world);
      expect((await world.send("owner", "DELETE", `/tags/${tag.id}`)).status).toBe(204);
      return tag;
    },
    send: (_world, { id }) => ["DELETE", `/tags/${id}`],
    expect: { status: 404, exactly: { error: "tag.not_found" } },
  }),
]);
