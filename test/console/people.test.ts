/** People on pages: invited by a link or a mail, given roles and locations within one's own, and removed. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { setFirstPassword } from "../../src/tenancy/invitations/redeem-link.service.ts";
import { hashPassword } from "../../src/tenancy/passwords/password.ts";
import { getUser } from "../../src/tenancy/users/user.queries.ts";
import { inviteUser, removeUser } from "../../src/tenancy/users/user.service.ts";
import type { Role } from "../../src/vocabulary/states.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { givenPerson, letJoin } from "../support/given-people.ts";
import { startMailServer } from "../support/mail-server.ts";
import { givenOlga } from "../support/marketplace.ts";
import { createPerson, password } from "../support/person.ts";
import type { Page, Person } from "../support/person.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const linkIn = (text: string) => /http:\/\/[^\s<"]+\/invitation\/crm_invitation_\w{36}/.exec(text)?.[0];
const pathOf = (url: string | undefined) => new URL(url!).pathname;
const faultOf = ({ text }: Page, id: string) => new RegExp(`id="${id}-fault">[^]*?</p>`).exec(text)?.[0];

describe.each(sampleOf("console: people", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  let olga: Person;
  let people: string;
  let hash: string;
  beforeAll(async () => {
    world = await createWorld(kind);
    olga = await givenOlga(world);
    people = `/w/${world.acme}/people`;
    hash = await hashPassword(password);
  });
  afterAll(() => world?.close());
  // Attempts to sign in are counted in windows of ten minutes.
  beforeEach(() => world.clock.advance({ minutes: 11 }));

  const inAcme = () => world.service.inWorkspace(world.acme);
  const stored = (id: number) => getUser(inAcme(), id);
  let serial = 0;
  const fresh = () => `p${(serial += 1)}@acme.example`;

  async function signedIn(role: Role, locationIds: readonly number[] | null) {
    const user = await givenPerson(world, role, locationIds);
    await inAcme().change((change) => setFirstPassword(change, user, hash));
    const person = createPerson(world.url);
    await person.signIn(user.email);
    return { user, person };
  }

  const send = async (person: Person, path: string, fields: Record<string, string>) =>
    person.submit(await person.get(`${people}${path}`), fields);

  test("an invitation shows its link once; the person is listed as invited, then as active", async () => {
    const email = fresh();
    const fields = { email, name: "Jonas", role: "manager", where: "some", location_ids: String(world.north) };
    const shown = await send(olga, "/invite", fields);
    expect([shown.status, shown.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const rowOf = async () =>
      new RegExp(`<tr>(?:(?!</tr>)[^])*${email}[^]*?</tr>`).exec((await olga.get(people)).text)![0];
    expect(await rowOf()).toMatch(/Jonas[^]*Manager[^]*North[^]*Invited/);
    expect(linkIn((await olga.get(people)).text)).toBeUndefined();
    // A reload of the form invites nobody twice.
    expect(faultOf(await send(olga, "/invite", fields), "email")).toContain("belongs to a member");

    const jonas = createPerson(world.url);
    const joined = await jonas.submit(await jonas.get(pathOf(linkIn(shown.text))), { name: "Jonas", password });
    expect(joined.status).toBe(303);
    expect(await rowOf()).toContain("Active");
    expect((await jonas.get(people)).status).toBe(200);
  });

  test("a new link replaces the one before, until there is a password", async () => {
    const shown = await send(olga, "/invite", { email: fresh(), role: "member", where: "all" });
    const old = pathOf(linkIn(shown.text));
    const [{ id } = { id: 0 }] = await world.service.database.rows<{ id: number }>(
      "select max(id) as id from users",
      [],
    );
    const page = await olga.get(`${people}/${id}`);
    const token = /name="form_token" value="([^"]+)"/.exec(page.text)![1]!;
    const again = await olga.post(`${people}/${id}/link`, { form_token: token });
    const path = pathOf(linkIn(again.text));
    expect((await createPerson(world.url).get(old)).status).toBe(404);
    const person = createPerson(world.url);
    await person.submit(await person.get(path), { name: "", password });
    expect((await olga.post(`${people}/${id}/link`, { form_token: token })).location).toBe(people);
    expect((await olga.get(people)).text).toContain("This person is a member of the workspace already");
    expect((await olga.get(`${people}/${id}`)).text).not.toContain("New invitation link");
  });

  const valid = { name: "Kim", role: "member", where: "all" };
  test.each<[string, Record<string, string>, string, string]>([
    ["no address", { email: "" }, "email", "is required"],
    ["no e-mail address", { email: "kim" }, "email", "must be a valid email address"],
    ["an address that is too long", { email: `${"x".repeat(64)}@${"y.".repeat(96)}example` }, "email", "255"],
    ["a member", { email: "NORA@acme.example" }, "email", "belongs to a member"],
    ["a name that is too long", { name: "x".repeat(256) }, "name", "255"],
    ["a name that turns text", { name: "Kim\u202E" }, "name", "must not contain control characters"],
    ["no role", { role: "" }, "role", "role"],
    ["an unknown role", { role: "operator" }, "role", "role"],
    ["no location", { where: "some" }, "location_ids", "must name at least one location"],
    ["a foreign location", { where: "some", location_ids: "999999" }, "location_ids", "no location 999999"],
    ["a location that is no number", { where: "some", location_ids: "x" }, "location_ids", "positive integer"],
  ])("an invitation with %s: 422, what was typed, and the fault at its field", async (_name, fields, id, sentence) => {
    const given = { email: fresh(), ...valid, ...fields };
    const answer = await send(olga, "/invite", given);
    expect(answer.status).toBe(422);
    expect(faultOf(answer, id)).toContain(sentence);
    expect(answer.text).toContain(`<a class="line" href="#${id}">`);
    for (const name of ["email", "name"] as const)
      if (fields[name] === undefined) expect(answer.text).toContain(`value="${given[name]}"`);
  });

  test("role and locations of a person are changed at once", async () => {
    const { user, person } = await signedIn("member", [world.north]);
    expect((await person.get(people)).status).toBe(403);
    const sent = await send(olga, `/${user.id}`, { role: "manager", where: "some", location_ids: String(world.south) });
    expect([sent.status, sent.location]).toEqual([303, people]);
    expect(await stored(user.id)).toMatchObject({ role: "manager", location_ids: [world.south] });
    expect((await olga.get(people)).text).toContain(`<strong><bdi>${user.name}</bdi> is changed</strong>`);
    expect((await person.get(people)).status).toBe(200);
    await send(olga, `/${user.id}`, { role: "owner", where: "some" });
    expect(await stored(user.id)).toMatchObject({ role: "owner", location_ids: null });
  });

  test("a manager gives nothing beyond their own: no role, no other location, no change of an owner", async () => {
    const { person } = await signedIn("manager", [world.north]);
    const member = await givenPerson(world, "member", [world.north]);
    const everywhere = await givenPerson(world, "member", null);
    const form = await person.get(`${people}/invite`);
    expect([...form.text.matchAll(/name="role" value="(\w+)"/g)].map(([, role]) => role)).toEqual([
      "manager",
      "member",
    ]);
    expect(form.text).not.toContain("In every location");
    expect(form.text).not.toContain("South");

    const invite = (fields: Record<string, string>) =>
      person.submit(form, {
        email: fresh(),
        role: "member",
        where: "some",
        location_ids: String(world.north),
        ...fields,
      });
    expect(faultOf(await invite({ role: "owner" }), "role")).toContain("more permissions than your own");
    expect(faultOf(await invite({ where: "all" }), "location_ids")).toContain("every location");
    expect(faultOf(await invite({ location_ids: String(world.south) }), "location_ids")).toContain(
      "do not have access",
    );
    expect((await invite({})).status).toBe(200);

    // What the form does not offer is not taken from it.
    const sent = await send(person, `/${member.id}`, {
      role: "manager",
      where: "some",
      location_ids: String(world.north),
    });
    expect(sent.status).toBe(303);
    expect(await stored(member.id)).toMatchObject({ role: "member", location_ids: [world.north] });

    const token = /name="form_token" value="([^"]+)"/.exec(form.text)![1]!;
    for (const [id, role] of [
      [world.users.olga, "Owner"],
      [everywhere.id, "Member"],
    ] as const) {
      const page = await person.get(`${people}/${id}`);
      expect(page.text).toContain("You cannot change this person");
      expect(page.text).toContain(role);
      const asked = await person.get(`${people}/${id}/remove`);
      expect(asked.text).toContain("You cannot change this person");
      expect(asked.text).not.toContain("Keep them");
      const before = await stored(id);
      const refused = await person.post(`${people}/${id}`, {
        form_token: token,
        where: "some",
        location_ids: String(world.north),
      });
      expect(refused.status).toBe(422);
      expect((await person.post(`${people}/${id}/remove`, { form_token: token })).location).toBe(people);
      expect((await person.post(`${people}/${id}/link`, { form_token: token })).location).toBe(people);
      expect(await stored(id)).toEqual(before);
    }
  });

  test("the last owner is neither removed nor lowered, by nobody; a second one is", async () => {
    const { person, user } = await signedIn("owner", null);
    await send(person, `/${world.users.olga}`, { role: "member", where: "all" });
    const others = await world.service.database.rows<{ id: number }>(
      "select user_id as id from memberships where workspace_id = ? and role = 'owner' and user_id <> ?",
      [world.acme, user.id],
    );
    for (const { id } of others) await send(person, `/${id}`, { role: "member", where: "all" });
    const lowered = await send(person, `/${user.id}`, { role: "member", where: "all" });
    expect([lowered.status, faultOf(lowered, "role")]).toEqual([422, expect.stringContaining("last owner")]);
    await send(person, `/${user.id}/remove`, {});
    expect((await person.get(people)).text).toContain("The last owner of a workspace cannot be removed.");
    expect(await stored(user.id)).toMatchObject({ role: "owner" });

    await send(person, `/${world.users.olga}`, { role: "owner", where: "all" });
    expect((await send(person, `/${user.id}`, { role: "member", where: "all" })).location).toBe("/");
    expect((await person.get(people)).status).toBe(403);
  });

  test("an owner signs a person out everywhere, unless their sessions are those of another workspace too", async () => {
    const { user, person } = await signedIn("manager", null);
    const signOut = async () => {
      const { text } = await olga.get(`${people}/${user.id}`);
      const token = /name="form_token" value="([^"]+)"/.exec(text)![1]!;
      await olga.post(`${people}/${user.id}/sign-out`, { form_token: token });
      return (await olga.get(people)).text;
    };
    await world.service
      .inWorkspace(world.other)
      .change((change) => inviteUser(change, { email: user.email, name: null, role: "member", locationIds: null }));
    await letJoin(world.service, user.id);
    expect(await signOut()).toContain("This person belongs to another workspace as well.");
    // Nor does the other workspace by inviting and removing them.
    await world.service.inWorkspace(world.other).change((change) => removeUser(change, user.email));
    expect((await person.get(people)).status).toBe(200);

    expect(await signOut()).toContain(`<strong><bdi>${user.name}</bdi> is signed out</strong>`);
    expect((await person.get(people)).location).toContain("/sign-in");
    await person.signIn(user.email);
    expect((await person.get(people)).text).not.toContain("Sign out everywhere");
  });

  test("a removed person is signed out, and gone from the list", async () => {
    const { user, person } = await signedIn("manager", null);
    const asked = await olga.get(`${people}/${user.id}/remove`);
    expect(asked.text).toContain(`Remove <bdi>${user.name}</bdi>?`);
    expect((await olga.submit(asked)).location).toBe(people);
    expect((await olga.get(people)).text).toContain(`<strong><bdi>${user.name}</bdi> is removed</strong>`);
    expect((await olga.get(`${people}/${user.id}`)).status).toBe(404);
    expect((await person.get(people)).location).toContain("/sign-in");
  });

  test("many people are pages of 25, below 40 KB", async () => {
    await inAcme().change(async (change) => {
      for (let n = 0; n < 60; n++) {
        const email = `many.${n}@acme.example`;
        await inviteUser(change, { email, name: `Person ${n}.`, role: "member", locationIds: null });
      }
    });
    const seen: string[] = [];
    for (let path: string | undefined = people; path !== undefined;) {
      const { text }: { text: string } = await olga.get(path);
      expect(Buffer.byteLength(text)).toBeLessThan(40_000);
      seen.push(...[...text.matchAll(/<bdi>(Person \d+\.)<\/bdi>/g)].map(([, name]) => name!));
      path = /href="([^"]+cursor=[^"]+)"/.exec(text)?.[1];
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => `Person ${n}.`));
    expect((await olga.get(`${people}?cursor=x`)).status).toBe(422);
  });
});

test("with a mail server the link is mailed and not shown", async () => {
  await using server = await startMailServer();
  const world = await createWorld("sqlite", {
    environment: { CRM_SMTP_URL: server.url, CRM_MAIL_FROM: "crm@acme.example" },
  });
  try {
    const olga = await givenOlga(world);
    const people = `/w/${world.acme}/people`;
    const form = await olga.get(`${people}/invite`);
    const sent = await olga.submit(form, { email: "kim@acme.example", name: "Kim", role: "member", where: "all" });
    expect([sent.status, sent.location]).toEqual([303, people]);
    expect((await olga.get(people)).text).toContain("A link to join is on its way.");
    await expect.poll(() => server.mails.length).toBe(1);
    expect(server.mails[0]).toMatchObject({
      to: ["kim@acme.example"],
      headers: { subject: ["You are invited to Acme"] },
    });
  } finally {
    await world.close();
  }
});
