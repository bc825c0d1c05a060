/** The setup link: the owner of a first start gets in by it, once, within an hour; what is refused changes nothing. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openLocation } from "../../src/crm/pipelines/open-location.service.ts";
import { findGivers } from "../../src/marketplace/installs/consent.queries.ts";
import { placeholderEmail } from "../../src/tenancy/invitations/setup-link.service.ts";
import { resetPassword } from "../../src/tenancy/users/user.operations.ts";
import { inviteUser } from "../../src/tenancy/users/user.service.ts";
import { createWorkspace } from "../../src/tenancy/workspaces/workspace.service.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { hostileNames } from "../support/hostile-names.ts";
import { givenPasswords } from "../support/marketplace.ts";
import { createPerson, password } from "../support/person.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

const spent = { status: 404, text: expect.stringContaining("This link no longer works") };

describe.each(sampleOf("OAuth: setup link", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
    await givenPasswords(world);
  });
  afterAll(() => world?.close());

  let serial = 0;
  const answers = () => ({
    email: `ada.${(serial += 1)}@acme.example`,
    name: "Ada",
    password,
    workspace: "Engines",
    location: "Main Street",
    timezone: "America/New_York",
    country: "GB",
  });

  /** A workspace as a first start leaves it. */
  async function started() {
    const { service } = world;
    const { id } = await service.operator.change((change) => createWorkspace(change, { name: "My workspace" }));
    const caller = service.inWorkspace(id);
    const made = await caller.change(async (change) => ({
      location: await openLocation(change, { name: "Main location" }),
      owner: await inviteUser(change, { email: placeholderEmail, name: null, role: "owner", locationIds: null }),
    }));
    const link = async () => {
      const { setup_url } = await service.carryOut(resetPassword, caller, { user: made.owner.id });
      return new URL(setup_url!).pathname;
    };
    return { caller, workspace: id, ...made, link };
  }

  async function namesIn({ workspace, location, owner }: Awaited<ReturnType<typeof started>>) {
    const [found] = await world.service.database.rows(
      `select w.name as workspace, l.name as location, l.timezone, l.country, u.name, u.email, u.password_hash is not null as "hasPassword"
       from workspaces w, locations l, users u where w.id = ? and l.id = ? and u.id = ?`,
      [workspace, location.id, owner.id],
    );
    return found;
  }

  test("takes the owner in, under names of their own; then it is spent, and the address signs in", async () => {
    const begun = await started();
    const person = createPerson(world.url);
    const path = await begun.link();
    const page = await person.get(path);
    expect(page.text).toContain('value="My workspace"');
    expect(page.text).toContain('<option value="Europe/Rome">');
    expect(page.text).toMatch(/<option value="GB">United Kingdom</);
    expect(page.text).not.toContain(placeholderEmail);
    const given = answers();
    const { result: done, events } = await world.eventsDuring(() => person.submit(page, given));
    expect([done.status, done.location]).toEqual([303, "/"]);
    expect(await namesIn(begun)).toMatchObject({
      workspace: "Engines",
      location: "Main Street",
      timezone: "America/New_York",
      country: "GB",
      name: "Ada",
      email: given.email,
    });
    expect(events).toMatchObject([
      {
        event: "location.updated",
        changes: [
          { field: "name", old: "Main location", new: "Main Street" },
          { field: "timezone", old: "UTC", new: "America/New_York" },
          { field: "country", old: "US", new: "GB" },
        ],
      },
    ]);
    expect((await person.get("/")).text).toContain(`<bdi>Ada</bdi> · <bdi dir="ltr">${given.email}</bdi>`);
    expect(await createPerson(world.url).get(path)).toMatchObject(spent);
    await createPerson(world.url).signIn(given.email);
  });

  const long = "x".repeat(256);
  test.each<[field: string, fault: string, value: string]>([
    ["email", "is required", ""],
    ["email", "must be a valid email address", "ada"],
    ["email", "has already been taken", "OLGA@acme.example"],
    ["email", "must not be", `${"x".repeat(64)}@${"y.".repeat(96)}example`],
    ["email", "must not contain NUL bytes", "a\0da@acme.example"],
    ["name", "is required", ""],
    ["name", "is required", " \t "],
    ["name", "must not be", long],
    ["name", "must not contain control characters", "Ada\u202Egnaw"],
    ["name", "must not contain NUL bytes", "A\0da"],
    ["password", "is required; it takes at least 12 characters.", ""],
    ["password", "has 11 characters; 1 more are needed.", "eleven char"],
    ["password", "must not be longer than 256 characters.", "x".repeat(257)],
    ["workspace", "is required", ""],
    ["workspace", "must not be", long],
    ["workspace", "must not contain control characters", "\u2069\u2067Engines"],
    ["location", "is required", ""],
    ["location", "must not be", long],
    ["timezone", "is required", ""],
    ["timezone", "must be an IANA time zone", "Mars/Olympus"],
    ["country", "is required", ""],
    ["country", "must be a two-letter country code", "XX"],
  ])("keeps the input and names the fault: %s %s", async (field, fault, value) => {
    const begun = await started();
    const before = await namesIn(begun);
    const person = createPerson(world.url);
    const page = await person.get(await begun.link());
    const given = { ...answers(), [field]: value };
    const refused = await person.submit(page, given);
    expect(refused.status).toBe(422);
    const [, told = ""] = new RegExp(`id="${field}-fault"[^]*?</svg>([^]*?)</p>`).exec(refused.text) ?? [];
    expect(told).toContain(fault);
    expect(refused.text.match(/-fault"/g)).toHaveLength(2);
    for (const [name, text] of Object.entries(given)) {
      if (name === "password") expect(text === "" || !refused.text.includes(text)).toBe(true);
      else if (name !== field) expect(refused.text).toContain(`value="${text}"`);
    }
    expect(await namesIn(begun)).toEqual(before);
    // The link is not used up by it.
    expect((await person.submit(page, answers())).status).toBe(303);
  });

  test("takes every field at its limit, and names that break pages", async () => {
    const accepted = Object.entries(hostileNames).filter(([what]) => !/override|isolates/.test(what));
    for (const [, name] of accepted) {
      const begun = await started();
      const person = createPerson(world.url);
      const given = { ...answers(), name, workspace: name, location: name, password: "x".repeat(256) };
      expect((await person.submit(await person.get(await begun.link()), given)).status).toBe(303);
      expect(await namesIn(begun)).toMatchObject({ workspace: name.trim(), location: name.trim(), name: name.trim() });
      expect((await person.get("/")).status).toBe(200);
    }
  });

  test("a newer link replaces it, an hour ends it, and two who follow it at once get one in", async () => {
    const begun = await started();
    const [old, second] = [await begun.link(), await begun.link()];
    expect(await createPerson(world.url).get(old)).toMatchObject(spent);
    world.clock.advance({ minutes: 59, seconds: 59 });
    expect((await createPerson(world.url).get(second)).status).toBe(200);
    world.clock.advance({ seconds: 1 });
    expect(await createPerson(world.url).get(second)).toMatchObject(spent);

    const third = await begun.link();
    const people = [createPerson(world.url), createPerson(world.url)];
    const pages = await Promise.all(people.map((person) => person.get(third)));
    const sent = await Promise.all(people.map((person, place) => person.submit(pages[place]!, answers())));
    expect(sent.map(({ status }) => status).toSorted()).toEqual([303, 404]);
  });

  test("is made for that owner alone, and not once they have a password", async () => {
    const begun = await started();
    const { owner, caller } = begun;
    const olga = await world.service.carryOut(resetPassword, world.service.inWorkspace(world.acme), {
      user: world.users.olga,
    });
    expect(olga).toMatchObject({ reset_url: expect.stringContaining("/reset/") });
    const person = createPerson(world.url);
    await person.submit(await person.get(await begun.link()), { ...answers(), email: placeholderEmail });
    const reset = await world.service.carryOut(resetPassword, caller, { user: owner.id });
    expect(reset).toEqual({
      id: owner.id,
      email: placeholderEmail,
      reset_url: expect.stringContaining("/reset/crm_reset_"),
    });
    await world.service.database.transaction(({ rows }) =>
      rows("update users set email = 'x', email_key = 'x' where id = ?", [owner.id]),
    );
  });

  test("members are not told to ask an owner who cannot sign in", async () => {
    const begun = await started();
    expect(await findGivers(world.service.database, begun.workspace)).toEqual([]);
    const person = createPerson(world.url);
    await person.submit(await person.get(await begun.link()), answers());
    expect(await findGivers(world.service.database, begun.workspace)).toEqual(["Ada"]);
  });

  test.each(["/setup/x", "/setup/%00", `/setup/crm_setup_${"0".repeat(36)}`])("%s is no link", async (path) => {
    expect(await createPerson(world.url).get(path)).toMatchObject(spent);
  });

  test("a form of others sets nothing up", async () => {
    const begun = await started();
    const person = createPerson(world.url);
    const page = await person.get(await begun.link());
    const foreign: Record<string, string>[] = [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }];
    for (const headers of foreign) {
      expect((await person.submit(page, answers(), headers)).status).toBe(403);
    }
    expect((await createPerson(world.url).submit(page, answers())).status).toBe(403);
    expect(await namesIn(begun)).toMatchObject({ workspace: "My workspace" });
    expect((await person.submit(page, answers())).status).toBe(303);
  });
});
