/** Consents, changes of the app, uninstalls, refreshes and people who leave, all at once: no answer is a fault of ours, and what is left agrees. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { updateApp } from "../../src/marketplace/apps/app.service.ts";
import { findInstallsIn } from "../../src/marketplace/installs/install.queries.ts";
import { uninstallApp } from "../../src/marketplace/installs/install.service.ts";
import { signOut } from "../../src/tenancy/sessions/session.service.ts";
import type { Session } from "../../src/tenancy/sessions/session.service.ts";
import { inviteUser, removeUser } from "../../src/tenancy/users/user.service.ts";
import { request } from "../support/client.ts";
import { databaseKinds } from "../support/databases.ts";
import {
  askToken,
  authorizePath,
  callback,
  givenApp,
  givenOlga,
  givenPasswords,
  givenTokens,
  redeeming,
  refreshing,
} from "../support/marketplace.ts";
import type { TestApp } from "../support/marketplace.ts";
import { meeting } from "../support/meet.ts";
import { createPerson } from "../support/person.ts";
import type { Page, Person } from "../support/person.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const rounds = 8;
const wide = "contacts.readonly tags.readonly";
const elsewhere = "https://app.example.com/elsewhere";

describe.each([...databaseKinds])("on %s", (kind) => {
  let world: World;
  let olga: Person;
  beforeAll(async () => {
    world = await createWorld(kind);
    olga = await givenOlga(world);
  });
  afterAll(() => world?.close());

  const inAcme = () => world.service.inWorkspace(world.acme);
  const ask = (person: Person, app: TestApp, scope: string) => person.get(authorizePath(app, { scope }));
  const allow = (person: Person, page: Page) =>
    person.submit(page, { location_id: String(world.north), answer: "allow" });
  const codeOf = ({ location }: Page) => (location === "" ? null : new URL(location).searchParams.get("code"));
  const installsOf = async (app: TestApp) =>
    (await findInstallsIn(world.service.database, [world.north])).filter(({ app: { id } }) => id === app.id);

  test("a request that is allowed twenty times at once gives one code", async () => {
    for (let round = 0; round < rounds; round += 1) {
      const page = await ask(olga, await givenApp(world), wide);
      const answers = await Promise.all(Array.from({ length: 20 }, () => allow(olga, page)));
      expect(answers.filter((answer) => codeOf(answer) !== null)).toHaveLength(1);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303, 400]));
    }
  });

  test("consents, refreshes and an uninstall at once leave one install or none, and tokens of that alone", async () => {
    for (let round = 0; round < rounds; round += 1) {
      const app = await givenApp(world);
      const { refresh_token, access_token } = await givenTokens(world, olga, app, world.north, { scope: wide });
      const [install] = await installsOf(app);
      const pages = await Promise.all([ask(olga, app, "tags.readonly"), ask(olga, app, "contacts.readonly")]);
      const [refreshed, , ...answers] = await Promise.all([
        askToken(world.url, refreshing(app, refresh_token)),
        inAcme().change((change) => uninstallApp(change, install!.id)),
        ...pages.map((page) => allow(olga, page)),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([303, 303]);
      expect([200, 400]).toContain(refreshed.status);
      const left = await installsOf(app);
      expect(left.length).toBeLessThanOrEqual(1);
      const keys = [access_token, refreshed.body.access_token];
      for (const answer of answers) {
        const { status, body } = await askToken(world.url, redeeming(app, codeOf(answer)!));
        expect([200, 400]).toContain(status);
        if (status === 200) keys.push(body.access_token);
      }
      const may = async (path: string, key: string) =>
        (await request(world.url, { method: "GET", path: `/api/v1${path}`, key })).status === 200;
      const scopes = left[0]?.scopes ?? [];
      for (const key of keys.filter((one) => one !== undefined)) {
        if (await may("/tags", key)) expect(scopes).toContain("tags.readonly");
        if (await may(`/contacts?location_id=${world.north}`, key)) expect(scopes).toContain("contacts.readonly");
      }
    }
  });

  test("an app that changes its address while it is allowed gets its code there before, or not at all", async () => {
    for (let round = 0; round < rounds; round += 1) {
      const app = await givenApp(world);
      const page = await ask(olga, app, wide);
      const [answer] = await Promise.all([
        allow(olga, page),
        inAcme().change((change) => updateApp(change, app.id, { redirect_uris: [elsewhere] })),
      ]);
      expect([answer.status, codeOf(answer) !== null]).toEqual(answer.status === 303 ? [303, true] : [400, false]);
      if (answer.status === 303) expect(answer.location.startsWith(callback)).toBe(true);
      expect((await installsOf(app)).length).toBe(answer.status === 303 ? 1 : 0);
    }
  });

  test("who is signed out while the consent page opens signs in again", async () => {
    const { database } = world.service;
    const [app, person] = [await givenApp(world), createPerson(world.url)];
    await person.signIn("olga@acme.example");
    const [session] = await database.rows<Session>(
      'select id, user_id as "userId" from sessions order by id desc limit 1',
    );
    const opening = meeting(database, () => ask(person, app, wide));
    const deps = { database: opening.database, clock: world.clock };
    await signOut(deps, session!, { everywhere: false, address: "127.0.0.1" });
    const { status, location } = (await opening.second) as Page;
    expect([status, location]).toEqual([303, expect.stringMatching(/^\/sign-in\?continue=%2Foauth%2Fauthorize/)]);
  });

  test("who is removed while they allow an app gives a code that is worth nothing, or none", async () => {
    const app = await givenApp(world);
    for (let round = 0; round < rounds; round += 1) {
      const email = `mia${round}@acme.example`;
      const mia = await inAcme().change((change) =>
        inviteUser(change, { email, name: "Mia", role: "manager", locationIds: null }),
      );
      await givenPasswords({ ...world, users: { mia: mia.id } as unknown as World["users"] });
      const person = createPerson(world.url);
      await person.signIn(email);
      const pages = await Promise.all([1, 2, 3].map(() => ask(person, app, wide)));
      const [, ...answers] = await Promise.all([
        inAcme().change((change) => removeUser(change, email)),
        ...pages.map((page) => allow(person, page)),
      ]);
      for (const answer of answers) {
        expect([303, 400, 403, 422]).toContain(answer.status);
        const code = codeOf(answer);
        if (code !== null) expect((await askToken(world.url, redeeming(app, code))).status).toBe(400);
      }
    }
  });
});
