/** No privilege escalation: keys, apps, invitations and roles can grant at most the caller's own permissions. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "../../src/events/caller.ts";
import * as apps from "../../src/marketplace/apps/app.operations.ts";
import { updateApp } from "../../src/marketplace/billing/app-change.operations.ts";
import { uninstallApp } from "../../src/marketplace/installs/install.operations.ts";
import * as keys from "../../src/tenancy/api-keys/api-key.operations.ts";
import * as users from "../../src/tenancy/users/user.operations.ts";
import type { UserView } from "../../src/tenancy/users/user.view.ts";
import { Invalid, Refusal } from "../../src/vocabulary/errors.ts";
import { rightsOf } from "../../src/operation/roles.ts";
import { databaseKinds } from "../support/databases.ts";
import { callerOf, givenPerson } from "../support/given-people.ts";
import { unique } from "../support/given.ts";
import { callback, givenApp, givenInstall } from "../support/marketplace.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** The refused fields, or the error code; "done" on success. */
async function toldOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "done";
  } catch (error) {
    if (error instanceof Invalid) return Object.keys(error.errors).join(", ");
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

describe.each([...databaseKinds])("grant limits on %s", (kind) => {
  let world: World;
  /** A manager of North only. */
  let manager: Caller;
  let owner: Caller;
  let ofSouth: UserView;
  let ofNorth: UserView;
  let ofBoth: UserView;
  let boss: UserView;
  beforeAll(async () => {
    world = await createWorld(kind);
    const { north, south } = world;
    manager = (await callerOf(world, await givenPerson(world, "manager", [north]), null))!;
    boss = await givenPerson(world, "owner", null);
    owner = (await callerOf(world, await givenPerson(world, "owner", null), null))!;
    ofNorth = await givenPerson(world, "member", [north]);
    ofSouth = await givenPerson(world, "member", [south]);
    ofBoth = await givenPerson(world, "member", [north, south]);
  });
  afterAll(() => world?.close());

  const carryOut: World["service"]["carryOut"] = (...given) => world.service.carryOut(...given);
  const someone = () => `new${unique()}@acme.example`;

  describe("API keys", () => {
    test.each<[what: string, input: () => object, told: string]>([
      ["of its own location", () => ({ location_ids: [world.north] }), "done"],
      ["of every location", () => ({}), "location_ids"],
      ["of another location", () => ({ location_ids: [world.north, world.south] }), "location_ids"],
      ["of a location of another workspace", () => ({ location_ids: [world.foreign] }), "location_ids"],
    ])("a manager of North makes a key %s", async (_what, input, told) => {
      const asked = { input: { name: "k", ...input() } };
      expect(await toldOf(carryOut(keys.createApiKey, manager, asked))).toBe(told);
    });

    test("a key cannot have a scope that its creator lacks", async () => {
      const grant = { ...manager.grant, scopes: ["contacts.readonly"] } as const;
      const limited = world.service.callAs({ ...manager, grant });
      const input = { name: "k", location_ids: [world.north] };
      const make = (scopes: readonly ["contacts.readonly" | "contacts.write"]) =>
        toldOf(carryOut(keys.createApiKey, limited, { input: { ...input, scopes } }));
      expect([await make(["contacts.readonly"]), await make(["contacts.write"])]).toEqual(["done", "scopes"]);
    });

    test("a manager of North cannot rotate a key with access to other locations", async () => {
      const { scopes } = rightsOf.manager;
      const local = { location_ids: [world.north] };
      const wide = await carryOut(keys.createApiKey, owner, { input: { name: "wide", scopes } });
      const own = await carryOut(keys.createApiKey, owner, { input: { name: "own", scopes, ...local } });
      const ofOwner = await carryOut(keys.createApiKey, owner, { input: { name: "owner's", ...local } });
      const rotate = (id: number) => toldOf(carryOut(keys.rotateApiKey, manager, { api_key: id }));
      expect([await rotate(wide.id), await rotate(own.id), await rotate(ofOwner.id)]).toEqual([
        "location_ids",
        "done",
        "scopes",
      ]);
    });
  });

  describe("apps", () => {
    test("an app cannot request scopes that its creator lacks, and its secret is not shown to such a caller", async () => {
      const grant = { ...manager.grant, scopes: ["contacts.readonly"] } as const;
      const limited = world.service.callAs({ ...manager, grant });
      const app = await givenApp(world, { scopes: ["contacts.readonly"] });
      const wide = await givenApp(world, { scopes: ["contacts.write"] });
      const named = { name: "Ledgerline", redirect_uris: [callback] };
      const tries: [expected: string, work: () => Promise<unknown>][] = [
        ["done", () => carryOut(apps.createApp, limited, { input: { ...named, scopes: ["contacts.readonly"] } })],
        ["scopes", () => carryOut(apps.createApp, limited, { input: { ...named, scopes: ["contacts.write"] } })],
        ["done", () => carryOut(updateApp, limited, { app: app.id, input: { name: "Ledgerline 2" } })],
        ["scopes", () => carryOut(updateApp, limited, { app: app.id, input: { scopes: ["contacts.write"] } })],
        ["done", () => carryOut(apps.rotateAppSecret, limited, { app: app.id })],
        ["scopes", () => carryOut(apps.rotateAppSecret, limited, { app: wide.id })],
      ];
      for (const [expected, work] of tries) expect(await toldOf(work())).toBe(expected);
    });

    test("a manager of North can uninstall there, and sees no install of South", async () => {
      const { id } = await givenApp(world);
      const uninstall = async (location: number) =>
        toldOf(carryOut(uninstallApp, manager, { install: await givenInstall(world, id, location) }));
      expect(await uninstall(world.north)).toBe("done");
      expect(await uninstall(world.south)).toBe("install.not_found");
    });
  });

  describe("people", () => {
    test.each<[what: string, input: () => object, told: string]>([
      ["a member of North", () => ({ role: "member", location_ids: [world.north] }), "done"],
      ["another manager of North", () => ({ role: "manager", location_ids: [world.north] }), "done"],
      ["an owner", () => ({ role: "owner" }), "location_ids, role"],
      ["a member of South", () => ({ role: "member", location_ids: [world.south] }), "location_ids"],
      ["a member of everything", () => ({ role: "member" }), "location_ids"],
      [
        "with a first password",
        () => ({ role: "member", location_ids: [world.north], password: "long enough 1" }),
        "password",
      ],
    ])("a manager of North invites %s", async (_what, input, told) => {
      const asked = { input: { email: someone(), ...input() } as never };
      expect(await toldOf(carryOut(users.inviteUser, manager, asked))).toBe(told);
    });

    test.each<[what: string, who: () => UserView, input: () => object, told: string]>([
      ["makes a member of North a manager", () => ofNorth, () => ({ role: "manager" }), "done"],
      ["makes a member of North an owner", () => ofNorth, () => ({ role: "owner" }), "location_ids, role"],
      [
        "gives a member of North South as well",
        () => ofNorth,
        () => ({ location_ids: [world.north, world.south] }),
        "location_ids",
      ],
      ["takes South from a member of both", () => ofBoth, () => ({ location_ids: [world.north] }), "location_ids"],
      ["does not find a person in South only", () => ofSouth, () => ({ role: "member" }), "user.not_found"],
      ["makes an owner a member", () => boss, () => ({ role: "member" }), "location_ids, role"],
      ["changes the address of another", () => ofNorth, () => ({ email: someone() }), "email"],
      ["renames another", () => ofNorth, () => ({ name: "Mallory" }), "name"],
    ])("a manager of North %s", async (_what, who, input, told) => {
      const asked = { user: who().id, input: input() };
      expect(await toldOf(carryOut(users.updateUser, manager, asked))).toBe(told);
    });

    test("a manager of North can remove a member of North, but neither one of South nor an owner", async () => {
      const remove = (id: number) => toldOf(carryOut(users.removeUser, manager, { user: id }));
      const one = await givenPerson(world, "member", [world.north]);
      expect([await remove(one.id), await remove(ofSouth.id), await remove(ofBoth.id), await remove(boss.id)]).toEqual([
        "done",
        "user.not_found",
        "location_ids",
        "location_ids, role",
      ]);
    });

    test("only the operator is shown a reset link of another person", async () => {
      expect(await toldOf(carryOut(users.resetPassword, owner, { user: ofNorth.id }))).toBe("insufficient_role");
      const reset = await carryOut(users.resetPassword, world.service.inWorkspace(world.acme), { user: ofNorth.id });
      expect(reset.reset_url).toMatch(/\/reset\/crm_reset_/);
    });

    test("people can change their own name", async () => {
      const self = await givenPerson(world, "manager", [world.north]);
      const caller = (await callerOf(world, self, null))!;
      const renamed = await carryOut(users.updateUser, caller, { user: self.id, input: { name: "Ada Lovelace" } });
      expect(renamed).toMatchObject({
        id: self.id,
        name: "Ada Lovelace",
        role: "manager",
        location_ids: [world.north],
      });
    });
  });
});
