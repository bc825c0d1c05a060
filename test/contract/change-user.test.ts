/** Updates of a person's role and locations: the resulting access, and that a workspace always has an owner. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findOwners, findUser, findUsersWithAccess } from "../../src/tenancy/users/user.queries.ts";
import { changeUser, inviteUser, removeUser } from "../../src/tenancy/users/user.service.ts";
import type { UserChange } from "../../src/tenancy/users/user.service.ts";
import { findLink, makeResetLink } from "../../src/tenancy/invitations/account-link.service.ts";
import { setFirstPassword } from "../../src/tenancy/invitations/redeem-link.service.ts";
import { hashPassword } from "../../src/tenancy/passwords/password.ts";
import { createWorkspace } from "../../src/tenancy/workspaces/workspace.service.ts";
import { findSession } from "../../src/tenancy/sessions/session.service.ts";
import { signIn } from "../../src/tenancy/sessions/sign-in.service.ts";
import { password } from "../support/person.ts";
import type { Caller } from "../../src/events/caller.ts";
import type { Role } from "../../src/vocabulary/states.ts";
import { databaseKinds } from "../support/databases.ts";
import { unique } from "../support/given.ts";
import { callerOf, inviteTo, letJoin } from "../support/given-people.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(databaseKinds)("people on %s", (kind) => {
  let world: World;
  let caller: Caller<null>;
  beforeAll(async () => {
    world = await createWorld(kind);
    caller = world.service.inWorkspace(world.acme);
  });
  afterAll(() => world?.close());

  async function give(role: Role, locationIds: number[] | null): Promise<string> {
    const email = `Person${unique()}@acme.example`;
    await caller.change((change) => inviteUser(change, { email, name: null, role, locationIds }));
    return email;
  }
  const change = (email: string, given: UserChange, by = caller) =>
    by.change((change) => changeUser(change, email, given));

  test.each<
    [
      from: Role,
      reach: "all" | "north",
      given: (world: World) => UserChange,
      to: Role,
      reaches: "all" | "north" | "south" | "both",
    ]
  >([
    ["member", "north", () => ({ role: "manager" }), "manager", "north"],
    ["member", "north", (world) => ({ locationIds: [world.south] }), "member", "south"],
    ["member", "north", (world) => ({ locationIds: [world.south, world.north, world.south] }), "member", "both"],
    ["member", "north", () => ({ locationIds: null }), "member", "all"],
    ["member", "north", () => ({ role: "owner" }), "owner", "all"],
    ["owner", "all", () => ({ role: "member" }), "member", "all"],
    ["owner", "all", (world) => ({ role: "member", locationIds: [world.north] }), "member", "north"],
    ["manager", "all", () => ({ role: "manager", locationIds: null }), "manager", "all"],
  ])("a %s who reaches %s, changed", async (from, reach, given, to, reaches) => {
    const email = await give(from, reach === "all" ? null : [world.north]);
    const both = [world.north, world.south].toSorted((a, b) => a - b);
    const expected = { all: null, north: [world.north], south: [world.south], both }[reaches];
    const { result, events } = await world.eventsDuring(() => change(email.toUpperCase(), given(world)));
    expect(result).toMatchObject({ email, role: to, location_ids: expected });
    expect(events).toEqual([]);
    expect(await findUser(caller, email.toLowerCase())).toEqual(result);
    const places = { north: world.north, south: world.south };
    for (const [name, id] of Object.entries(places)) {
      const there = await world.service.inLocation(world.acme, id);
      const reached = (await findUsersWithAccess(there, new Set([result.id]))).has(result.id);
      expect(reached, name).toBe(expected === null || expected.includes(id));
    }
  });

  test("an invalid update is refused, and nothing is changed", async () => {
    const email = await give("member", [world.north]);
    await expect(change(email, { locationIds: [] })).rejects.toThrow("at least one location");
    await expect(change(email, { locationIds: [world.foreign] })).rejects.toThrow("no location");
    await expect(change(email, { role: "owner", locationIds: [world.north] })).rejects.toThrow(
      "Owners have access to every location",
    );
    await expect(change("nobody@acme.example", { role: "owner" })).rejects.toThrow("user.not_found");
    expect(await findUser(caller, email.toLowerCase())).toMatchObject({
      role: "member",
      location_ids: [world.north],
    });
  });

  test("the last owner cannot be demoted, even if two owners demote each other concurrently", async () => {
    const lone = world.service.inWorkspace(
      (
        await world.service.database.rows<{ id: number }>("select workspace_id as id from locations where id = ?", [
          world.foreign,
        ])
      )[0]!.id,
    );
    const [otto] = await world.service.database.rows<{ email: string }>("select email from users where id = ?", [
      world.users.otto,
    ]);
    await expect(change(otto!.email, { role: "manager" }, lone)).rejects.toThrow("The last owner of a workspace");
    await expect(change(otto!.email, { role: "owner" }, lone)).resolves.toMatchObject({ role: "owner" });
    const second = await lone.change((change) =>
      inviteUser(change, { email: `second${unique()}@other.example`, name: null, role: "owner", locationIds: null }),
    );
    const outcomes = await Promise.allSettled(
      [otto!.email, second.email].map((email) => change(email, { role: "member" }, lone)),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  async function emptyWorkspace() {
    const { id } = await world.service.operator.change((given) => createWorkspace(given, { name: "Empty" }));
    const inviteOwner = () => inviteTo(world, "owner", null, id);
    return { id, inviteOwner, byOperator: world.service.inWorkspace(id) };
  }

  test("an owner who has joined stays until another one has joined, but for the operator; invited ones leave freely", async () => {
    const { inviteOwner, byOperator } = await emptyWorkspace();
    const remove = (by: Caller, { id }: { id: number }) => by.change((given) => removeUser(given, id));
    const [first, invited] = [await inviteOwner(), await inviteOwner()];
    await letJoin(world.service, first.id);
    const self = (await callerOf(world, first, null))!;
    const rule = "Invited owners count once they have joined.";
    await expect(self.change((given) => changeUser(given, first.id, { role: "member" }))).rejects.toThrow(rule);
    await expect(remove(self, first)).rejects.toThrow(rule);
    await remove(self, invited);
    const [second, third] = [await inviteOwner(), await inviteOwner()];
    await letJoin(world.service, second.id);
    await remove(self, first);
    await remove(byOperator, second);
    await expect(remove(byOperator, third)).rejects.toThrow("The last owner of a workspace cannot be removed.");
  });

  test("mails go to owners who have joined, and to invited ones only while none has", async () => {
    const { id, inviteOwner } = await emptyWorkspace();
    const mailed = async () => (await findOwners(world.service.database, id)).map(({ email }) => email);
    const [first, second] = [await inviteOwner(), await inviteOwner()];
    expect(await mailed()).toEqual([first.email, second.email]);
    await letJoin(world.service, second.id);
    expect(await mailed()).toEqual([second.email]);
  });

  describe("the name and the address of a person", () => {
    test.each<[what: string, given: (old: string) => UserChange, name: string, email: (old: string) => string]>([
      ["a name", () => ({ name: "Grace Hopper" }), "Grace Hopper", (old) => old],
      ["an address, which the name was", (old) => ({ email: `new-${old}` }), "new-", (old) => `new-${old}`],
      ["both", (old) => ({ name: "Grace", email: `New-${old}` }), "Grace", (old) => `New-${old}`],
      ["another spelling", (old) => ({ name: "G", email: old.toUpperCase() }), "G", (old) => old.toUpperCase()],
    ])("%s", async (_what, given, name, email) => {
      const old = await give("member", [world.north]);
      const { id } = (await findUser(caller, old))!;
      const { result, events } = await world.eventsDuring(() => change(old, given(old)));
      const expected = { id, name: name === "new-" ? `new-${old}` : name, email: email(old), role: "member" };
      expect(result).toEqual({ ...expected, location_ids: [world.north] });
      expect(events).toEqual([]);
      expect(await findUser(caller, id)).toEqual(result);
      expect(await findUser(caller, email(old).toUpperCase())).toEqual(result);
    });

    test("a taken address is refused, and nothing is changed, even if two people take it concurrently", async () => {
      const [one, other] = [await give("member", null), await give("manager", null)];
      await expect(change(one, { name: "x", email: ` ${other.toUpperCase()}`.trim(), role: "owner" })).rejects.toThrow(
        "The email has already been taken.",
      );
      expect(await findUser(caller, one)).toMatchObject({ name: one, email: one, role: "member" });

      const email = `both${unique()}@acme.example`;
      const elsewhere = await world.service.inWorkspace(world.acme);
      const outcomes = await Promise.allSettled([change(one, { email }), change(other, { email }, elsewhere)]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    });

    test.each<[what: string, email: (old: string) => string, isKept: boolean]>([
      ["another address ends sessions and links", (old) => `new-${old}`, false],
      ["another spelling ends nothing", (old) => old.toUpperCase(), true],
    ])("%s", async (_what, email, isKept) => {
      const { database, clock } = world.service;
      const old = await give("owner", null);
      const { id } = (await findUser(caller, old))!;
      const { url } = await caller.change((change) => makeResetLink(change, id));
      const hash = await hashPassword(password);
      await caller.change((change) => setFirstPassword(change, { id }, hash));
      const deps = { database, clock, vault: world.service.tools.vault };
      const tryIn = (email: string) => signIn(deps, { email, password, userAgent: null, address: "127.0.0.1" });
      const { session } = (await tryIn(old)) as { session: string };

      await change(old, { email: email(old) });

      expect((await findSession(deps, session)) !== undefined).toBe(isKept);
      const token = url.split("/").at(-1)!;
      expect((await findLink(deps, "reset", token)) !== undefined).toBe(isKept);
      expect(await tryIn(email(old))).toBeDefined();
      expect((await tryIn(old)) !== undefined).toBe(isKept);
    });
  });
});
