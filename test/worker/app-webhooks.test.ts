/** The webhooks of an app get only what its tokens may read, and nothing while no user with access to the location allows the app. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allPages } from "../../src/kit/page.ts";
import { hookQueue } from "../../src/webhooks/deliveries/hook-queue.ts";
import { listInstalls } from "../../src/marketplace/installs/install.queries.ts";
import { changeUser, inviteUser, removeUser } from "../../src/tenancy/users/user.service.ts";
import { sampleOf } from "../support/chance.ts";
import { request } from "../support/client.ts";
import { limits } from "../../src/vocabulary/limits.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenContact, made } from "../support/given.ts";
import { givenManyHooks } from "../support/given-hooks.ts";
import { askToken, givenApp, givenOlga, givenPasswords, givenTokens } from "../support/marketplace.ts";
import type { TestApp } from "../support/marketplace.ts";
import { createPerson } from "../support/person.ts";
import type { Person } from "../support/person.ts";
import { startReceiver, toLoopback } from "../support/receiver.ts";
import type { TestReceiver } from "../support/receiver.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const scope = "contacts.readonly webhooks.write";

describe.each(sampleOf("webhooks of apps", 1, databaseKinds))("the webhook of an app on %s", (kind) => {
  let world: World;
  let olga: Person;
  let receiver: TestReceiver;
  beforeAll(async () => {
    world = await createWorld(kind, { environment: toLoopback });
    olga = await givenOlga(world);
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await receiver?.[Symbol.asyncDispose]();
    await world?.close();
  });

  const change = <T>(work: Parameters<ReturnType<World["service"]["inWorkspace"]>["change"]>[0]) =>
    world.service.inWorkspace(world.acme).change(work) as Promise<T>;
  let people = 0;

  /** A manager, signed in, who is asked for by their address. */
  async function givenManager(): Promise<{ email: string; person: Person }> {
    people += 1;
    const email = `manager${people}@acme.example`;
    const { id } = await change<{ id: number }>((open) =>
      inviteUser(open, { email, name: "Mia", role: "manager", locationIds: null }),
    );
    await givenPasswords({ ...world, users: { ...world.users, mia: id } as World["users"] });
    const person = createPerson(world.url);
    await person.signIn(email);
    return { email, person };
  }

  async function register(key: string, targetUrl = receiver.url): Promise<number> {
    const body = { event: "contact.created", target_url: targetUrl };
    return (await made(request(world.url, { method: "POST", path: "/api/v1/hooks", key, body }))).id as number;
  }

  /** Which of the locations the receiver hears of when a contact is made in each. */
  async function heard(): Promise<string[]> {
    receiver.arrivals.length = 0;
    for (const location_id of [world.north, world.south]) await givenContact(world, { first_name: "Ada", location_id });
    for (let round = 0; round < 3; round += 1) await world.service.worker.runOnce();
    const names = new Map([
      [world.north, "North"],
      [world.south, "South"],
    ]);
    return receiver.arrivals.map(({ data }) => names.get(data.location_id)!).toSorted();
  }

  const statuses = async (app: TestApp) => {
    const reader = world.service.inWorkspace(world.acme);
    const installs = await allPages((query) => listInstalls(reader, app.id, { ...query, limit: 1 }));
    return installs.map(({ location, status }) => `${location.name} ${status}`);
  };

  test("goes silent at the location that the giver loses, and speaks again when they have it again", async () => {
    const app = await givenApp(world);
    const { email, person } = await givenManager();
    for (const location of [world.north, world.south])
      await register((await givenTokens(world, person, app, location, { scope })).access_token);
    expect([await heard(), await statuses(app)]).toEqual([
      ["North", "South"],
      ["North active", "South active"],
    ]);
    await change((open) => changeUser(open, email, { locationIds: [world.south] }));
    expect([await heard(), await statuses(app)]).toEqual([["South"], ["North inactive", "South active"]]);
    await change((open) => changeUser(open, email, { locationIds: null }));
    expect([await heard(), await statuses(app)]).toEqual([
      ["North", "South"],
      ["North active", "South active"],
    ]);
    await change((open) => removeUser(open, email));
    expect([await heard(), await statuses(app)]).toEqual([[], ["North inactive", "South inactive"]]);
  });

  test("what waits to be tried again when the giver loses the location is not sent any more, and canceled", async () => {
    const app = await givenApp(world);
    const { email, person } = await givenManager();
    let status = 500;
    await using flaky = await startReceiver(() => status);
    await register((await givenTokens(world, person, app, world.north, { scope })).access_token, flaky.url);
    await heard();
    expect(flaky.arrivals).toHaveLength(1);
    status = 200;
    await change((open) => changeUser(open, email, { locationIds: [world.south] }));
    world.clock.advance({ minutes: 1 });
    await world.service.worker.runOnce();
    expect(flaky.arrivals).toHaveLength(1);
    const states = () =>
      world.service.database.rows<{ state: string }>(
        "select deliveries.state from deliveries join hooks on hooks.id = hook_id where target_url = ?",
        [flaky.url],
      );
    expect(await states()).toEqual([{ state: "canceled" }]);
    world.clock.advance({ minutes: 5 });
    await world.service.worker.runOnce();
    // Else it would be reported as overdue from now on, by /readyz and "crm doctor".
    expect(await hookQueue.findNextDue(world.service.database)).toBeNull();
  });

  test("goes on while another person lets the app in, and says on the start page when nobody does", async () => {
    const app = await givenApp(world, { name: "Dialer" });
    const { email, person } = await givenManager();
    const { access_token } = await givenTokens(world, person, app, world.north, { scope });
    await register(access_token);
    await change((open) => removeUser(open, email));
    expect([await heard(), await statuses(app)]).toEqual([[], ["North inactive"]]);
    expect((await olga.get("/")).text).toContain("<b>No access.</b>");

    const { refresh_token } = await givenTokens(world, olga, app, world.north, { scope });
    expect([await heard(), await statuses(app)]).toEqual([["North"], ["North active"]]);
    const { client_id, client_secret } = app;
    await askToken(world.url, { token: refresh_token, client_id, client_secret }, { path: "/api/oauth/revoke" });
    expect([await heard(), await statuses(app)]).toEqual([[], ["North inactive"]]);
  });

  test("is one of so many in each location, whatever else the workspace has", async () => {
    const app = await givenApp(world);
    const tokenAt = async (location: number) => (await givenTokens(world, olga, app, location, { scope })).access_token;
    await givenManyHooks(world, limits.appHooks - 1, { location: world.north, app: app.id });
    const token = await tokenAt(world.north);
    await register(token);
    const body = { event: "contact.created", target_url: receiver.url };
    const refused = await request(world.url, { method: "POST", path: "/api/v1/hooks", key: token, body });
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { event: [`The app has ${limits.appHooks} webhooks, the most that it can have.`] },
    ]);
    for (const key of [await tokenAt(world.south), world.keys.owner!]) await register(key);
  });
});
