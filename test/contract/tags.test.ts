/** GET and POST /tags */
import { expect } from "vitest";
import { contract, row } from "../support/contract.ts";
import { givenTag } from "../support/given.ts";

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
