/** An app registers a webhook while it is uninstalled: whichever commits first, no webhook is left. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "../../src/events/caller.ts";
import { registerHook } from "../../src/marketplace/installs/hook-registration.operations.ts";
import { uninstallApp } from "../../src/marketplace/installs/install.service.ts";
import { databaseKinds } from "../support/databases.ts";
import { someTarget } from "../support/given-hooks.ts";
import { givenApp, givenInstall } from "../support/marketplace.ts";
import { untilOneWaits } from "../support/meet.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each([...databaseKinds])("on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  /** An installed app, by a request of which its token was accepted, and the operator who uninstalls it. */
  async function givenInstalled() {
    const { service, acme, north } = world;
    const { id: appId } = await givenApp(world);
    const installId = await givenInstall(world, appId, north);
    const app = service.callAs({
      workspaceId: acme,
      location: null,
      locationIds: [north],
      actor: { type: "app", id: appId, name: "App" },
      grant: { scopes: ["webhooks.write", "contacts.readonly"], appId, role: null },
      user: null,
    });
    const input = { event: "contact.created", target_url: someTarget } as const;
    return {
      app,
      operator: service.inWorkspace(acme),
      register: (by: Caller) => service.carryOut(registerHook, by, { input }),
      uninstall: (by: Caller) => by.change((change) => uninstallApp(change, installId)),
      hooks: () => service.database.rows("select id from hooks where app_id = ? and removed_at is null", [appId]),
    };
  }

  /** A caller whose change commits when `second` has begun: it waits for a lock, or has ended. */
  function committingLate(caller: Caller, second: () => Promise<unknown>): Caller {
    return {
      ...caller,
      change: (work, size) =>
        caller.change(async (change) => {
          const done = await work(change);
          await Promise.race([second(), untilOneWaits(world.service.database)]);
          return done;
        }, size),
    };
  }

  test("after the uninstall it is refused", async () => {
    const { app, operator, register, uninstall, hooks } = await givenInstalled();
    let registered: Promise<unknown> | undefined;
    await uninstall(committingLate(operator, () => (registered = Promise.allSettled([register(app)]))));
    const reason = expect.objectContaining({ code: "invalid_api_key" }) as unknown;
    expect(await registered).toEqual([{ status: "rejected", reason }]);
    expect(await hooks()).toEqual([]);
  });

  test("before the uninstall it is removed by it", async () => {
    const { app, operator, register, uninstall, hooks } = await givenInstalled();
    let uninstalled: Promise<unknown> | undefined;
    const late = committingLate(app, () => (uninstalled = uninstall(operator)));
    expect(await register(late)).toMatchObject({ event: "contact.created" });
    await uninstalled;
    expect(await hooks()).toEqual([]);
  });
});
