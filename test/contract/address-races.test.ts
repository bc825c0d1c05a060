/** A person gets another address while others invite, rename or help them: no link goes to the old mailbox, and nothing is lost. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Change } from "../../src/events/caller.ts";
import { findLink, makeInvitationLink, makeResetLink } from "../../src/tenancy/invitations/account-link.service.ts";
import type { AccountLinkKind } from "../../src/tenancy/invitations/account-link.service.ts";
import { findOrAddPerson } from "../../src/tenancy/users/person.service.ts";
import { findUser } from "../../src/tenancy/users/user.queries.ts";
import { changeUser, inviteAgain, inviteUser, renamePerson } from "../../src/tenancy/users/user.service.ts";
import { databaseKinds } from "../support/databases.ts";
import { letJoin } from "../support/given-people.ts";
import { unique } from "../support/given.ts";
import { meet } from "../support/meet.ts";
import { createWorld } from "../support/world.ts";
import type { World } from "../support/world.ts";

let world: World;

/** The operator in one of two workspaces. */
const inAcme = () => world.service.inWorkspace(world.acme);
const inOther = () => world.service.inWorkspace(world.other);

const invite = (email: string) => (change: Change) =>
  inviteUser(change, { email, name: "Nora", role: "member", locationIds: null });

/** A person of both workspaces, of which one may wait for them to join, and the address that they get. */
async function givenMember(isWaiting?: "acme" | "other") {
  const number = unique();
  const [email, moved] = [`old.${number}@acme.example`, `new.${number}@acme.example`];
  const { id } = await inAcme().change(invite(email));
  await inOther().change(invite(email));
  await letJoin(world.service, id);
  if (isWaiting !== undefined)
    await world.service.database.transaction(({ rows }) =>
      rows("update memberships set joined_at = null where user_id = ? and workspace_id = ?", [id, world[isWaiting]]),
    );
  return { id, email, moved, move: (change: Change) => changeUser(change, id, { email: moved }) };
}

/** What the second change resolves to, which begins in the other workspace before the first commits. */
async function meanwhile<Result>(
  first: (change: Change) => Promise<unknown>,
  second: (change: Change) => Promise<Result>,
): Promise<Result> {
  const met = await meet(
    world.service.database,
    {
      change: (work) => (Object.is(work, second) ? inOther() : inAcme()).change(work),
    },
    { first, second },
  );
  if (met.status === "rejected") throw met.reason;
  return met.value;
}

/** Whether the link still works. */
async function works(kind: AccountLinkKind, url: string): Promise<boolean> {
  return (await findLink(world.service, kind, new URL(url).pathname.split("/").at(-1)!)) !== undefined;
}

describe.each(databaseKinds)("another address meanwhile on %s", (kind) => {
  beforeAll(async () => {
    world = await createWorld(kind);
  });
  afterAll(() => world?.close());

  test("the link of a reset goes to the new address", async () => {
    const { id, moved, move } = await givenMember();
    const { user } = await meanwhile(move, (change) => makeResetLink(change, id));
    expect(user.email).toBe(moved);
  });

  test("an invitation that went to the old address is withdrawn", async () => {
    const { id, move } = await givenMember("other");
    await expect(meanwhile(move, (change) => inviteAgain(change, id))).rejects.toThrow("user.not_found");
    expect(await findUser(inOther(), id)).toBeUndefined();
  });

  test.each<[what: string, kind: AccountLinkKind, make: (change: Change, id: number) => Promise<string>]>([
    ["a reset", "reset", async (change, id) => (await makeResetLink(change, id)).url],
    ["another invitation", "invitation", async (change, id) => (await inviteAgain(change, id)).url],
    [
      "an invitation",
      "invitation",
      async (change, id) => {
        const { email } = (await findUser(change, id))!;
        await change.rows("delete from memberships where user_id = ? and workspace_id = ?", [id, change.workspaceId]);
        return (await makeInvitationLink(change, await invite(email)(change))).url;
      },
    ],
  ])("the link of %s that went to the old address is ended", async (_what, link, make) => {
    const { id, move } = await givenMember(link === "invitation" ? "acme" : undefined);
    let url = "";
    await meanwhile(async (change) => (url = await make(change, id)), move);
    expect(await works(link, url)).toBe(false);
  });

  test("a new name stays", async () => {
    const { id, moved, move } = await givenMember();
    expect(await meanwhile((change) => renamePerson(change, id, "Eleonora"), move)).toMatchObject({
      name: "Eleonora",
      email: moved,
    });
  });

  test("the new address stays when the person is renamed", async () => {
    const { id, moved, move } = await givenMember();
    const rename = (change: Change) => changeUser(change, id, { name: "Eleonora" });
    expect(await meanwhile(move, rename)).toMatchObject({ name: "Eleonora", email: moved });
    expect(await findUser(inAcme(), id)).toMatchObject({ name: "Eleonora", email: moved });
  });
});

test("whoever is invited at an address that its person gives up meanwhile is another person", async () => {
  world = await createWorld("postgres");
  try {
    const { id, email, move } = await givenMember();
    const invited = await inAcme().change(async ({ now, rows }) => {
      let asked = 0;
      const reader: Pick<Change, "rows" | "now"> = {
        now,
        async rows(...given) {
          const found = await rows<never>(...given);
          // After the insert, which has found the address taken.
          asked += 1;
          if (asked === 1) await inOther().change(move);
          return found;
        },
      };
      return findOrAddPerson(reader, email, "Somebody else");
    });
    expect(invited).toMatchObject({ email, name: "Somebody else" });
    expect(invited.id).not.toBe(id);
  } finally {
    await world.close();
  }
});
