/** A person joins a workspace by the link of that workspace alone: no password that somebody chose for an address opens another one. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  findLink,
  makeInvitationLink,
  makeResetLink,
  makeResetLinkByEmail,
} from "../../src/tenancy/invitations/account-link.service.ts";
import { acceptInvitation, redeemLink } from "../../src/tenancy/invitations/redeem-link.service.ts";
import { changeUser, inviteAgain, inviteUser, removeUser } from "../../src/tenancy/users/user.service.ts";
import { findWorkplaces } from "../../src/tenancy/users/workplace.queries.ts";
import { sampleOf } from "../support/chance.ts";
import { databaseKinds } from "../support/databases.ts";
import { unique } from "../support/given.ts";
import { givenOlga } from "../support/marketplace.ts";
import { meeting } from "../support/meet.ts";
import { createPerson, password } from "../support/person.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

describe.each(sampleOf("OAuth: joining", 1, databaseKinds))("on %s", (kind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());
  // Attempts to sign in are counted in windows of ten minutes.
  beforeEach(() => world.clock.advance({ minutes: 11 }));

  /** Invites an address to a workspace; resolves to the path of the link. */
  async function invited(workspaceId: number, email: string) {
    return world.service.inWorkspace(workspaceId).change(async (change) => {
      const user = await inviteUser(change, { email, name: null, role: "member", locationIds: null });
      return { id: user.id, path: new URL((await makeInvitationLink(change, user)).url).pathname };
    });
  }
  const someone = () => `somebody${unique()}@acme.example`;
  const tokenOf = (path: string) => path.split("/").at(-1)!;
  const workspacesOf = async (id: number) =>
    (await findWorkplaces(world.service.database, id)).map((workplace) => workplace.id);
  const deps = () => ({ database: world.service.database, clock: world.clock, vault: world.service.tools.vault });
  const browser = { userAgent: null, address: "127.0.0.1" };

  test("whoever holds the link of one workspace is nobody in another that invites the address later", async () => {
    const email = someone();
    const first = await invited(world.acme, email);
    const holder = createPerson(world.url);
    await holder.submit(await holder.get(first.path), { name: "", password });
    const { id, path } = await invited(world.other, email);
    expect(await workspacesOf(id)).toEqual([world.acme]);
    expect((await holder.get("/")).text).not.toContain("Other");
    expect((await holder.get(`/w/${world.other}/people`)).status).toBe(404);
    const audited = await world.service.database.rows(
      "select id from audit_entries where workspace_id = ? and operation = 'signIn'",
      [world.other],
    );
    expect(audited).toEqual([]);

    // The link of the other workspace is with its person, who signs in with it. No other workspace is told.
    expect((await holder.submit(await holder.get(path))).location).toBe("/");
    const joined = await world.service.database.rows(
      "select workspace_id from audit_entries where operation = 'acceptInvitation' and actor_id = ?",
      [id],
    );
    expect(joined).toEqual([{ workspace_id: world.other }]);
    expect((await holder.get("/")).text).toContain("You have joined <bdi>Other</bdi>");
    expect(await workspacesOf(id)).toEqual([world.acme, world.other]);
    expect(await holder.get(path)).toMatchObject({
      status: 404,
      text: expect.stringContaining("A link works once, and expires. If you have used it, sign in."),
    });
  });

  test("a link of an account with a password changes no password, and leads by way of signing in", async () => {
    const email = someone();
    const first = await invited(world.acme, email);
    const { id, path } = await invited(world.other, email);
    const early = createPerson(world.url);
    const choice = await early.get(path);
    const owner = createPerson(world.url);
    await owner.submit(await owner.get(first.path), { name: "", password });

    expect((await early.submit(choice, { name: "", password: "another horse battery" })).location).toBe(path);
    const page = await early.get(path);
    const signIn = /href="([^"]*sign-in[^"]*)"/.exec(page.text)![1]!;
    expect(signIn).toBe(`/sign-in?continue=${encodeURIComponent(path)}`);
    const form = await early.get(signIn);
    expect((await early.submit(form, { email, password: "another horse battery" })).status).toBe(422);
    expect((await early.submit(form, { email, password })).location).toBe(path);
    expect((await early.submit(await early.get(path))).location).toBe("/");
    expect(await workspacesOf(id)).toEqual([world.acme, world.other]);
  });

  test("a workspace that requires two-factor sign-in asks for it once it is joined, not before", async () => {
    const email = someone();
    const first = await invited(world.acme, email);
    const person = createPerson(world.url);
    const { path } = await invited(world.other, email);
    const requireTwoFactor = (isRequired: boolean) =>
      world.service.database.transaction(({ rows }) =>
        rows("update workspaces set two_factor_required = ? where id = ?", [isRequired, world.other]),
      );
    await requireTwoFactor(true);
    try {
      expect((await person.submit(await person.get(first.path), { name: "", password })).location).toBe("/");
      expect((await person.get("/")).text).not.toContain("Set up two-factor sign-in");
      expect((await person.submit(await person.get(path))).location).toBe("/me/two-factor");
      const home = (await person.get("/")).text;
      expect(home).toContain("You have joined <bdi>Other</bdi></strong> You are a member there.");
      expect(home).toContain("Set up two-factor sign-in");
    } finally {
      await requireTwoFactor(false);
    }
  });

  test("another person who is signed in is asked to sign out, and joins nothing", async () => {
    const email = someone();
    const first = await invited(world.acme, email);
    const person = createPerson(world.url);
    await person.submit(await person.get(first.path), { name: "", password });
    const { id, path } = await invited(world.other, email);
    const olga = await givenOlga(world);
    const page = await olga.get(path);
    expect(page.text).toContain('You are signed in as <bdi dir="ltr">olga@acme.example</bdi>');
    const token = /name="form_token" value="([^"]+)"/.exec(page.text)![1]!;
    expect((await olga.post(path, { form_token: token })).location).toBe(path);
    expect(await workspacesOf(id)).toEqual([world.acme]);
    expect((await olga.submit(page)).location).toBe(path);
    expect((await olga.get(path)).text).toContain("Sign in to join");
  });

  test.each([
    ["by the operator of a workspace: that one", true, ["acme"]],
    ["that a person asked for: none", false, []],
  ] as const)("a reset joins, %s", async (_what, isByOperator, joined) => {
    const email = someone();
    const { id, path } = await invited(world.acme, email);
    await invited(world.other, email);
    const asked = (await makeResetLinkByEmail({ ...deps(), links: world.service.tools.links }, email))!;
    const byOperator = await world.service.inWorkspace(world.acme).change((change) => makeResetLink(change, id));
    const { url } = isByOperator ? byOperator : asked;
    const person = createPerson(world.url);
    expect((await person.submit(await person.get(new URL(url).pathname), { password })).location).toBe("/");
    expect(await workspacesOf(id)).toEqual(joined.map((name) => world[name]));
    if (isByOperator) return;
    expect((await person.get("/")).text).toContain("open the link of your invitation");
    expect((await person.submit(await person.get(path))).location).toBe("/");
    expect(await workspacesOf(id)).toEqual([world.acme]);
  });

  test("a new invitation link ends the one before, and not the reset link of the operator", async () => {
    const { id, path } = await invited(world.acme, someone());
    const inAcme = world.service.inWorkspace(world.acme);
    const reset = await inAcme.change((change) => makeResetLink(change, id));
    await inAcme.change((change) => inviteAgain(change, id));
    expect(await findLink(deps(), "invitation", tokenOf(path))).toBeUndefined();
    expect(await findLink(deps(), "reset", tokenOf(reset.url))).toMatchObject({ userId: id });
  });

  test("a workspace that invites and removes a person does not sign them out of joining another", async () => {
    const email = someone();
    const { id, path } = await invited(world.other, email);
    const { url } = (await makeResetLinkByEmail({ ...deps(), links: world.service.tools.links }, email))!;
    const person = createPerson(world.url);
    await person.submit(await person.get(new URL(url).pathname), { password });
    await invited(world.acme, email);
    await world.service.inWorkspace(world.acme).change((change) => removeUser(change, id));
    expect((await person.submit(await person.get(path))).location).toBe("/");
    expect(await workspacesOf(id)).toEqual([world.other]);
  });

  test("of two links that are used at once, one chooses the password; the other still works, signed in", async () => {
    const email = someone();
    const [acme, other] = [await invited(world.acme, email), await invited(world.other, email)];
    const { database: own } = world.service;
    const using = ({ path }: { path: string }, database = own) =>
      redeemLink({ ...deps(), database }, "invitation", { token: tokenOf(path), password, ...browser });
    const met = meeting(own, () => using(other));
    expect(await using(acme, met.database)).toHaveProperty("session");
    expect(await met.second).toBeUndefined();
    expect(await workspacesOf(acme.id)).toEqual([world.acme]);
    expect(await findLink(deps(), "invitation", tokenOf(other.path))).toMatchObject({ hasPassword: true });
    const given = { token: tokenOf(other.path), address: browser.address };
    expect(await acceptInvitation(deps(), { userId: world.users.nora }, given)).toBe(false);
    expect(await acceptInvitation(deps(), { userId: acme.id }, given)).toBe(true);
    expect(await acceptInvitation(deps(), { userId: acme.id }, given)).toBe(false);
    expect(await workspacesOf(acme.id)).toEqual([world.acme, world.other]);
  });

  test("another address takes the invitations of other workspaces with it", async () => {
    const email = someone();
    const { id, path } = await invited(world.acme, email);
    await redeemLink(deps(), "invitation", { token: tokenOf(path), password, ...browser });
    const other = await invited(world.other, email);
    const inAcme = world.service.inWorkspace(world.acme);
    await inAcme.change((change) => changeUser(change, id, { email: someone() }));
    expect((await createPerson(world.url).get(other.path)).status).toBe(404);
    const left = await world.service.database.rows("select workspace_id from memberships where user_id = ?", [id]);
    expect(left).toEqual([{ workspace_id: world.acme }]);
    const audited = await world.service.database.rows(
      "select workspace_id, actor_type, address from audit_entries where operation = 'withdrawInvitation' and subject_id = ?",
      [id],
    );
    expect(audited).toEqual([{ workspace_id: world.other, actor_type: "operator", address: null }]);
    // The address is free for its owner.
    expect((await invited(world.other, email)).id).not.toBe(id);
  });
});
