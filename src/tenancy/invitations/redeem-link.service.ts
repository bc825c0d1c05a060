/** Uses one-time links: sets the password of an account by its link, or joins a workspace signed in. */
import type { Change } from "../../events/caller.ts";
import { hashSecret } from "../../kit/secrets/secret.ts";
import { forNoKeyUpdate } from "../../storage/locks.ts";
import type { Rows } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import { hashPassword } from "../passwords/password.ts";
import { endSessionsOf } from "../sessions/session.service.ts";
import type { Session, SessionDeps } from "../sessions/session.service.ts";
import { admit } from "../sessions/sign-in.service.ts";
import type { Browser, SignInDeps, SignInStep } from "../sessions/sign-in.service.ts";
import { recordPersonAudit } from "../users/person-audit.ts";
import type { UserView } from "../users/user.view.ts";
import { endResetsOf, useLink } from "./account-link.service.ts";
import type { AccountLinkKind } from "./account-link.service.ts";

interface Redeemed extends Browser {
  readonly token: string;
  readonly password: string;
  readonly name?: string | undefined;
}

/** Thrown to roll back: the account of an invitation has got a password meanwhile. */
class HasPassword extends Error {}

/**
 * Redeems a link: sets the password (and the name, if given), joins the workspace of the link, ends the person's sessions and other links that set a
 * password, and takes the first step of a sign-in; a second factor stays on. Undefined if the link was used meanwhile, or is an invitation of an account
 * that has a password, which it does not change.
 */
export async function redeemLink(
  deps: SignInDeps,
  kind: AccountLinkKind,
  { token, password, name, ...browser }: Redeemed,
): Promise<SignInStep | undefined> {
  const hash = await hashPassword(password);
  const now = deps.clock.now();
  const redeemed = deps.database.transaction(async (change) => {
    // The lock order: memberships, links, people, sessions.
    const membership = await holdMembership(change, token);
    const userId = await useLink(change, kind, token, now);
    if (userId === undefined) return undefined;
    await endResetsOf(change, userId, now);
    if (kind === "invitation") await writeFirstPassword(change, userId, hash);
    else await writePassword(change, userId, hash);
    if (name !== undefined) await change.rows("update users set name = ? where id = ?", [name, userId]);
    // Those that were made meanwhile, too.
    await endResetsOf(change, userId, now);
    if (membership !== undefined) await join(change, membership.id, now);
    await recordPersonAudit(change, now, {
      operation: "choosePassword",
      userId,
      address: browser.address,
      details: { link: kind },
    });
    return admit(deps, change, { id: userId, password_hash: hash }, browser);
  });
  return redeemed.catch((error: unknown) => {
    if (error instanceof HasPassword) return undefined;
    throw error;
  });
}

/** Joins the workspace of an invitation as its person, who is signed in. Resolves to false if the link is used, or not theirs. */
export function acceptInvitation(
  { database, clock }: SessionDeps,
  { userId }: Pick<Session, "userId">,
  { token, address }: { readonly token: string; readonly address: string },
): Promise<boolean> {
  const now = clock.now();
  return database.transaction(async (change) => {
    const membership = await holdMembership(change, token);
    if (membership?.user_id !== userId) return false;
    if ((await useLink(change, "invitation", token, now)) === undefined) return false;
    await join(change, membership.id, now);
    const { workspace_id: workspaceId } = membership;
    // Other workspaces of the person are not told of this one.
    await recordPersonAudit(change, now, { operation: "acceptInvitation", userId, workspaceId, address });
    return true;
  });
}

interface HeldMembership {
  readonly id: number;
  readonly workspace_id: number;
  readonly user_id: number;
}

const holdText = sql`select m.id, m.workspace_id, m.user_id from memberships m join account_links l on l.membership_id = m.id
  where l.hash = ?${forNoKeyUpdate("m")}`;

/** The membership of a link, locked; undefined for a link without one. */
export async function holdMembership(rows: Rows, token: string): Promise<HeldMembership | undefined> {
  const [held] = await rows.rows<HeldMembership>(holdText, [hashSecret(token)]);
  return held;
}

export async function join(rows: Rows, membershipId: number, now: Date): Promise<void> {
  await rows.rows("update memberships set joined_at = ? where id = ? and joined_at is null", [now, membershipId]);
}

const joinFirstText = `update memberships set joined_at = ? where workspace_id = ? and user_id = ?
  and exists (select 1 from users u where u.id = memberships.user_id and u.password_hash is null) returning id`;

/**
 * Sets the first password of an invited person, who has joined the workspace with it. Resolves to false for a person with a password, which is not
 * changed: they accept an invitation.
 */
export async function setFirstPassword(change: Change, { id }: Pick<UserView, "id">, hash: string): Promise<boolean> {
  const joined = await change.rows(joinFirstText, [change.now, change.workspaceId, id]);
  if (joined.length > 0) await writeFirstPassword(change, id, hash);
  return joined.length > 0;
}

const firstText = "update users set password_hash = ? where id = ? and password_hash is null returning id";

async function writeFirstPassword(rows: Rows, userId: number, hash: string): Promise<void> {
  if ((await rows.rows(firstText, [hash, userId])).length === 0) throw new HasPassword("the account has a password");
}

export async function writePassword(rows: Rows, userId: number, hash: string): Promise<void> {
  await rows.rows("update users set password_hash = ? where id = ?", [hash, userId]);
  await endSessionsOf(rows, userId);
}
