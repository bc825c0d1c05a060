/** An install with external billing: from Allow to the payment page and back, once, only by the user who consented; an uninstall cancels. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { updateApp } from "../../src/marketplace/apps/app.service.ts";
import { pendingInstallDuty } from "../../src/marketplace/installs/install.duties.ts";
import { findInstallsIn } from "../../src/marketplace/installs/install.queries.ts";
import { uninstallApp } from "../../src/marketplace/installs/install.service.ts";
import { mintSecret } from "../../src/kit/secrets/secret.ts";
import { removeUser } from "../../src/tenancy/users/user.service.ts";
import { inviteUser } from "../../src/tenancy/users/user.service.ts";
import { ledgerOf, report, subscriptionsOf } from "../support/billing.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import {
  askToken,
  authorizePath,
  callback,
  givenApp,
  givenOlga,
  givenPasswords,
  redeeming,
} from "../support/marketplace.ts";
import type { TestApp } from "../support/marketplace.ts";
import { createPerson } from "../support/person.ts";
import type { Page, Person } from "../support/person.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const paymentPage = "https://pay.example.com/start";

describe.each(sampleOf("paid installs", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let olga: Person;
  beforeAll(async () => {
    world = await createWorld(kind);
    olga = await givenOlga(world);
  });
  afterAll(() => world?.close());

  const givenPaid = (options: Parameters<typeof givenApp>[1] = {}) => givenApp(world, { paymentPage, ...options });
  const allow = async (app: TestApp, location = world.north, person = olga, parameters = {}): Promise<Page> => {
    const page = await person.get(authorizePath(app, { state: "s", ...parameters }));
    return person.submit(page, { location_id: String(location), answer: "allow" });
  };
  /** The path of the return_url in a redirect to the payment page. */
  const returnOf = ({ location }: Page): string => {
    const address = new URL(new URL(location).searchParams.get("return_url")!);
    expect(address.origin).toBe(world.url);
    return address.pathname + address.search;
  };
  /** A summary of a response: the redirect without its query, or the status and title. */
  const led = ({ status, location, text }: Page) =>
    status === 303 ? location.split("?")[0] : `${status} ${/<title>([^<]*?) ·/.exec(text)?.[1]}`;
  const spent = "400 There is no install to finish here";
  const statuses = async (app: TestApp) =>
    (await subscriptionsOf(world.service, world.acme, app)).map(({ status }) => status);
  const installsOf = async (app: TestApp) =>
    (await findInstallsIn(world.service.database, [world.north, world.south])).filter(
      ({ app: { id } }) => id === app.id,
    );
  const takeOut = (id: number) => world.service.inWorkspace(world.acme).change((change) => uninstallApp(change, id));
  const pay = (app: TestApp, fields: Record<string, unknown> = {}) =>
    report(world.url, app, { locationId: world.north, ...fields });

  test("the payment page is asked with exactly the parameters of the specification and return_url, and comes back to a code", async () => {
    const app = await givenPaid();
    const sent = await allow(app);
    const address = new URL(sent.location);
    expect([sent.status, address.origin + address.pathname]).toEqual([303, paymentPage]);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      clientId: app.client_id,
      installType: "location",
      locationId: String(world.north),
      return_url: expect.stringMatching(new RegExp(`^${world.url}/oauth/installs/crm_install_[0-9A-Za-z]{36}$`)),
    });
    expect([await statuses(app), await installsOf(app)]).toEqual([["incomplete"], []]);

    // The install completes unpaid too: the app decides what it provides.
    const back = new URL((await olga.get(returnOf(sent))).location);
    expect([back.origin + back.pathname, back.searchParams.get("state")]).toEqual([callback, "s"]);
    expect(back.searchParams.get("iss")).toBe(world.url);
    expect((await askToken(world.url, redeeming(app, back.searchParams.get("code")!))).status).toBe(200);
    expect([await statuses(app), (await installsOf(app)).length]).toEqual([["incomplete"], 1]);
    expect(led(await olga.get(returnOf(sent)))).toBe(spent);
  });

  test.each([
    ["https://pay.example.com/start", "form-action 'self' https://app.example.com https:;"],
    ["http://localhost:4001/pay", "form-action 'self' https://app.example.com https: http://localhost:4001;"],
    ["http://[::1]:4001/pay", "form-action 'self' https://app.example.com https: http:;"],
  ])("the consent page says first who pays at %s, and its form may lead there", async (page, policy) => {
    for (const installType of ["location", "company"] as const) {
      const app = await givenPaid({ paymentPage: page, installType });
      const { text, headers } = await olga.get(authorizePath(app));
      const told = text.indexOf(`The ${installType} pays for this app`);
      expect(text.slice(told)).toContain(`You go to <b>${new URL(page).host}</b> first`);
      expect([told > 0, told < text.indexOf('name="location_id"')]).toEqual([true, true]);
      expect(headers.get("content-security-policy")).toContain(policy);
      expect(led(await allow(app))).toBe(page);
    }
    expect((await olga.get(authorizePath(await givenApp(world)))).text).not.toContain("pays for this app");
  });

  test("an app that is bought by the company asks for the company, and a query of the payment page stays", async () => {
    const app = await givenPaid({ paymentPage: `${paymentPage}?plan=gold`, installType: "company" });
    const { searchParams } = new URL((await allow(app)).location);
    expect([...searchParams.keys()]).toEqual(["plan", "clientId", "installType", "companyId", "return_url"]);
    expect([searchParams.get("installType"), searchParams.get("companyId")]).toEqual(["company", String(world.acme)]);
    expect(await subscriptionsOf(world.service, world.acme, app)).toMatchObject([
      { location_id: null, company_id: world.acme, status: "incomplete", last_report_at: null },
    ]);
  });

  test("PKCE and narrower scopes survive the way over the payment page", async () => {
    const app = await givenPaid();
    const code_challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    const asked = { scope: "tags.readonly", code_challenge, code_challenge_method: "S256" };
    const back = await olga.get(returnOf(await allow(app, world.north, olga, asked)));
    const code = new URL(back.location).searchParams.get("code")!;
    const code_verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const { status, body } = await askToken(world.url, { ...redeeming(app, code), code_verifier });
    expect([status, body.scope]).toEqual([200, "tags.readonly"]);
  });

  test("whose subscription is active is not sent to pay again, of a company in any location", async () => {
    const [app, ofCompany] = [await givenPaid(), await givenPaid({ installType: "company" })];
    const rows = [
      [{}, callback],
      [{ status: "FAILED" }, paymentPage],
      [{ amount: 0 }, callback],
    ] as const;
    for (const [fields, place] of rows) {
      await pay(app, fields);
      expect(led(await allow(app))).toBe(place);
      expect(led(await allow(app, world.south))).toBe(paymentPage);
    }
    // A payment of a location does not count for its company.
    await pay(ofCompany);
    expect(led(await allow(ofCompany))).toBe(paymentPage);
    await pay(ofCompany, { authType: "company", companyId: world.acme });
    for (const location of [world.north, world.south]) expect(led(await allow(ofCompany, location))).toBe(callback);
  });

  test("who comes back signed out signs in, and goes on", async () => {
    const app = await givenPaid();
    const path = returnOf(await allow(app));
    const later = createPerson(world.url);
    const asked = await later.get(path);
    expect(led(asked)).toBe("/sign-in");
    const page = await later.get(asked.location);
    expect(page.text).toContain("to continue to <strong><bdi>Ledgerline</bdi></strong>");
    // The form redirects to the app in the end, and browsers check that against the CSP of the page with the form.
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self' https://app.example.com;");
    const signed = await later.submit(page, { email: "olga@acme.example", password: "correct horse battery" });
    expect(led(signed)).toBe(path);
    expect(led(await later.get(signed.location))).toBe(callback);
  });

  test("nobody else finishes it, and trying harms nothing", async () => {
    const app = await givenPaid();
    const path = returnOf(await allow(app));
    const otto = createPerson(world.url);
    await otto.signIn("otto@other.example");
    const foreign = await otto.get(path);
    expect(led(foreign)).toBe("403 Another person allowed this");
    expect(led(await otto.submit(foreign))).toBe(path);
    expect(led(await olga.get(path))).toBe(callback);
  });

  test.each([
    ["forged", mintSecret("crm_install_")],
    ["malformed", "1"],
    ["of another kind", mintSecret("crm_session_")],
    ["hostile", "%00%ff'--"],
  ])("an id that is %s names nothing", async (_name, token) => {
    expect(led(await olga.get(`/oauth/installs/${token}`))).toBe(spent);
    expect(led(await createPerson(world.url).get(`/oauth/installs/${token}`))).toBe(spent);
  });

  test("HEAD and a forged form finish nothing", async () => {
    const path = returnOf(await allow(await givenPaid()));
    const head = await fetch(world.url + path, { method: "HEAD" });
    const post = await olga.post(path, {});
    expect([head.status, post.status, led(await olga.get(path))]).toEqual([405, 403, callback]);
  });

  test("opened twenty times at once it gives one code", async () => {
    const path = returnOf(await allow(await givenPaid()));
    const answers = await Promise.all(Array.from({ length: 20 }, () => olga.get(path)));
    expect(answers.map(led).toSorted()).toEqual([...Array.from({ length: 19 }, () => spent), callback].toSorted());
  });

  test("a redirect URI that was taken back meanwhile gets no code, nor does a location that was lost", async () => {
    const app = await givenPaid();
    const lost = "403 Ledgerline cannot be installed now";
    const paths = [returnOf(await allow(app)), returnOf(await allow(app))];
    const change = (redirect_uris: string[]) =>
      world.service.inWorkspace(world.acme).change((open) => updateApp(open, app.id, { redirect_uris }));
    await change(["https://app.example.com/other"]);
    expect(led(await olga.get(paths[0]!))).toBe(lost);
    await change([callback]);
    expect(led(await olga.get(paths[0]!))).toBe(callback);

    const inAcme = world.service.inWorkspace(world.acme);
    const email = "max@acme.example";
    const max = await inAcme.change((open) =>
      inviteUser(open, { email, name: "Max", role: "manager", locationIds: [world.north] }),
    );
    await givenPasswords({ ...world, users: { ...world.users, max: max.id } as World["users"] });
    const person = createPerson(world.url);
    await person.signIn(email);
    const path = returnOf(await allow(app, world.north, person));
    await inAcme.change((open) => removeUser(open, email));
    expect([lost, "/sign-in"]).toContain(led(await person.get(path)));
  });

  test("an app that may be had for nothing since is finished all the same", async () => {
    const app = await givenPaid();
    const path = returnOf(await allow(app));
    await world.service.inWorkspace(world.acme).change((open) => updateApp(open, app.id, { billing: "none" }));
    expect(led(await olga.get(path))).toBe(callback);
    expect(led(await allow(app))).toBe(callback);
  });

  test("an app with platform billing is not installed", async () => {
    const app = await givenApp(world, { isPublished: false });
    const before = await olga.get(authorizePath(app));
    await world.service
      .inWorkspace(world.acme)
      .change((open) => updateApp(open, app.id, { billing: "platform", price_cents: 100 }));
    for (const page of [
      await olga.get(authorizePath(app)),
      await olga.submit(before, { location_id: String(world.north), answer: "allow" }),
    ]) {
      expect(page.status).toBe(422);
      expect(page.text).toContain("this service has no payment processor");
    }
    expect(await installsOf(app)).toEqual([]);
  });

  test("a person leaves twenty open at the most, and after a day none: they are forgotten", async () => {
    const app = await givenPaid();
    const count = async () =>
      (await world.service.database.rows<{ n: number }>("select count(*) as n from pending_installs"))[0]!.n;
    const paths = [];
    for (let n = 0; n < 22; n++) paths.push(returnOf(await allow(app)));
    const kept = await count();
    expect(led(await olga.get(paths[1]!))).toBe(spent);
    // A finished install evicts no pending one, and adds no row.
    for (let n = 0; n < 3; n++) expect(led(await olga.get(returnOf(await allow(app))))).toBe(callback);
    expect(led(await olga.get(paths[3]!))).toBe(callback);
    expect(await count()).toBe(kept);
    world.clock.advance({ hours: 24, milliseconds: -1 });
    expect(led(await olga.get(paths[4]!))).toBe(callback);
    world.clock.advance({ milliseconds: 1 });
    expect(led(await olga.get(paths[5]!))).toBe(spent);
    expect(await count()).toBe(kept);
    await pendingInstallDuty(world.service.database, world.clock).run(AbortSignal.timeout(5000));
    expect(await count()).toBe(0);
  });

  test("an uninstall cancels, and installing again forgets nothing", async () => {
    const app = await givenPaid();
    await pay(app, { paymentId: "a", subscriptionId: "sub-1" });
    await allow(app);
    const [install] = await installsOf(app);
    await takeOut(install!.id);
    expect(await statuses(app)).toEqual(["canceled"]);
    // A duplicate report is not a new payment.
    await pay(app, { paymentId: "a" });
    expect(await statuses(app)).toEqual(["canceled"]);

    const again = await allow(app);
    expect(led(again)).toBe(paymentPage);
    expect(led(await olga.get(returnOf(again)))).toBe(callback);
    expect(await subscriptionsOf(world.service, world.acme, app)).toMatchObject([
      { status: "canceled", amount_cents: 2900, subscription_id: "sub-1" },
    ]);
    await pay(app, { paymentId: "b" });
    expect(await statuses(app)).toEqual(["active"]);
    expect((await ledgerOf(world.service, app)).map(({ payment_id }) => payment_id)).toEqual(["a", "b"]);
    // The first install is uninstalled already: a repeated uninstall cancels nothing.
    await takeOut(install!.id);
    expect(await statuses(app)).toEqual(["active"]);
  });

  test("a company's subscription ends with its last install, also where two end at once", async () => {
    for (let round = 0; round < 5; round++) {
      const app = await givenPaid({ installType: "company" });
      await pay(app, { authType: "company", companyId: world.acme });
      for (const location of [world.north, world.south]) await allow(app, location);
      const [one, other] = await installsOf(app);
      if (round === 0) {
        await takeOut(one!.id);
        expect(await statuses(app)).toEqual(["active"]);
        await takeOut(other!.id);
      } else await Promise.all([takeOut(one!.id), takeOut(other!.id)]);
      expect(await statuses(app), `round ${round}`).toEqual(["canceled"]);
    }
  });

  test("a location's subscription ends with its own install alone", async () => {
    const app = await givenPaid();
    for (const locationId of [world.north, world.south]) {
      await pay(app, { locationId });
      await allow(app, locationId);
    }
    await takeOut((await installsOf(app)).find(({ location }) => location.id === world.south)!.id);
    expect(await statuses(app)).toEqual(["active", "canceled"]);
  });
});
