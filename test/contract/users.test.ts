/** POST, PATCH and DELETE /users by keys (extension): a key grants at most what it has, and has no say about owners. */
import { expect, test } from "vitest";
import { createApiKey } from "../../src/tenancy/api-keys/api-key.service.ts";
import { scopeNames } from "../../src/vocabulary/scopes.ts";
import type { ScopeName } from "../../src/vocabulary/scopes.ts";
import { rightsOf } from "../../src/operation/roles.ts";
import { request } from "../support/client.ts";
import { contract, row } from "../support/contract.ts";
import { made, unique } from "../support/given.ts";
import type { World } from "../support/world.ts";

const someone = () => `someone${unique()}@acme.example`;
const invite = (world: World, fields: object = {}) =>
  made(
    world.send("owner", "POST", "/users", { email: someone(), role: "member", location_ids: [world.north], ...fields }),
  );

/** Sends as a key with these scopes. */
async function sendWith(world: World, scopes: readonly ScopeName[], method: string, path: string, body?: object) {
  const { key } = await world.service
    .inWorkspace(world.acme)
    .change((change) => createApiKey(change, { name: "few", scopes }));
  const answer = await request(world.url, { method, path: `/api/v1${path}`, key, body });
  return [answer.status, answer.body.errors?.role?.[0] ?? answer.body.role];
}
const beyond = expect.stringMatching(/^The role \w+ has more permissions than your own/);

contract("inviteUser", [
  row({
    name: "returns the link, where no mail server sends it",
    send: ({ north }) => [
      "POST",
      "/users",
      { email: "new@acme.example", name: "New", role: "member", location_ids: [north] },
    ],
    expect: {
      status: 201,
      body: { email: "new@acme.example", role: "member", invite_url: expect.stringContaining("/invitation/") },
      events: ["user.invited"],
    },
  }),
  row({
    name: "not an owner, by a key",
    send: () => ["POST", "/users", { email: someone(), role: "owner" }],
    expect: { status: 422, body: { errors: { role: [beyond] } } },
  }),
  row({
    name: "only into locations of the key",
    as: "northOnly",
    send: ({ south }) => ["POST", "/users", { email: someone(), role: "member", location_ids: [south] }],
    expect: { status: 422, body: { errors: { location_ids: [expect.any(String)] } } },
  }),
  row({
    name: "not with a password",
    send: ({ north }) => [
      "POST",
      "/users",
      { email: someone(), role: "member", location_ids: [north], password: "correct horse battery" },
    ],
    expect: { status: 422, body: { errors: { password: [expect.any(String)] } } },
  }),
  row({
    name: "a key needs all scopes of the role",
    send: ["GET", "/me"],
    expect: { status: 200 },
    async afterwards(world) {
      const input = (role: string) => ({ email: someone(), role, location_ids: [world.north] });
      const member = ["users.write", ...rightsOf.member.scopes] as const;
      expect([
        await sendWith(world, ["users.write"], "POST", "/users", input("member")),
        await sendWith(world, member, "POST", "/users", input("member")),
        await sendWith(world, member, "POST", "/users", input("manager")),
        await sendWith(world, rightsOf.manager.scopes, "POST", "/users", input("manager")),
        await sendWith(world, scopeNames, "POST", "/users", input("owner")),
      ]).toEqual([
        [422, beyond],
        [201, "member"],
        [422, beyond],
        [201, "manager"],
        [422, beyond],
      ]);
    },
  }),
]);

contract("updateUser", [
  row({
    name: "changes role and locations",
    given: (world) => invite(world),
    send: ({ south }, { id }) => ["PATCH", `/users/${id}`, { role: "manager", location_ids: [south] }],
    expect: { status: 200, body: ({ south }, { id }) => ({ id, role: "manager", location_ids: [south] }) },
  }),
  row({
    name: "name and address are the person's own",
    given: (world) => invite(world),
    send: (_world, { id }) => ["PATCH", `/users/${id}`, { email: someone(), name: "Another" }],
    expect: { status: 422, body: { errors: { email: [expect.any(String)], name: [expect.any(String)] } } },
  }),
  row({
    name: "not of an owner, the last one included",
    send: ({ users }) => ["PATCH", `/users/${users.olga}`, { role: "member" }],
    expect: { status: 422, body: { errors: { role: [beyond] } } },
  }),
  row({
    name: "a person of another workspace is not found",
    send: ({ users }) => ["PATCH", `/users/${users.otto}`, { role: "member" }],
    expect: { status: 404, exactly: { error: "user.not_found" } },
  }),
]);

contract("removeUser", [
  row({
    name: "answers 204, and the person is no longer listed",
    given: (world) => invite(world),
    send: (_world, { id }) => ["DELETE", `/users/${id}`],
    expect: { status: 204 },
    async afterwards(world, { email }) {
      expect((await world.send("owner", "GET", "/users")).text).not.toContain(email);
    },
  }),
  row({
    name: "the last owner cannot go",
    send: ({ users }) => ["DELETE", `/users/${users.olga}`],
    expect: { status: 422, body: { errors: { role: [beyond] } } },
  }),
]);

test("a manager has every scope but those that reach all locations: of locations and of the audit log", () => {
  expect(scopeNames.filter((scope) => !rightsOf.manager.scopes.includes(scope))).toEqual([
    "locations.write",
    "audit.readonly",
  ]);
});
