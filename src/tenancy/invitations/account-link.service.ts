/** One-time links for choosing a password: invitations and resets. A link is a bearer token: its holder acts as the person it was issued to. */
import type { Change } from "../../events/caller.ts";
import type { Links } from "../../kit/links.ts";
import { hashSecret, isWellFormedSecret, mintSecret } from "../../kit/secrets/secret.ts";
import { emailKey } from "../../kit/text-key.ts";
import { forget, forgetText } from "../../storage/forget.ts";
import type { Rows } from "../../storage/rows.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import type { Role } from "../../vocabulary/states.ts";
import { hashPassword } from "../passwords/password.ts";
import { endSessionsOf, openSession } from "../sessions/session.service.ts";
import type { SessionDeps } from "../sessions/session.service.ts";
import { findUser } from "../users/user.queries.ts";
import type { UserView } from "../users/user.view.ts";

const prefixes = { invitation: "crm_invitation_", reset: "crm_reset_" } as const;

export type AccountLinkKind = keyof typeof prefixes;

const insertText = `
  insert into account_links (kind, user_id, membership_id, hash, created_at, expires_at) values (?, ?, ?, ?, ?, ?)`;

/** Creates an invitation link and returns its URL; undefined for a person who has a password already. */
export async function makeInvitationLink(change: Change, { id }: Pick<UserView, "id">): Promise<string | undefined> {
  const [person] = await change.rows<{ membership_id: number; password_hash: string | null }>(
    `select m.id as membership_id, u.password_hash from memberships m join users u on u.id = m.user_id
     where m.workspace_id = ? and m.user_id = ?`,
    [change.workspaceId, id],
  );
  if (person === undefined) throw new Refusal("user.not_found");
  if (person.password_hash !== null) return undefined;
  return makeLink(inChange(change), "invitation", { userId: id, membershipId: person.membership_id });
}

/** Creates a reset link for a person of the workspace. Refuses `user.not_found`. */
export async function makeResetLink(
  change: Change,
  emailOrId: string | number,
): Promise<{ user: UserView; url: string }> {
  const user = await findUser(change, emailOrId);
  if (user === undefined) throw new Refusal("user.not_found");
  return { user, url: await makeLink(inChange(change), "reset", { userId: user.id, membershipId: null }) };
}

/** Creates a reset link that a person requested by e-mail address, in any workspace; undefined for an unknown address. */
export function makeResetLinkByEmail(
  { database, clock, links }: SessionDeps & { readonly links: Links },
  email: string,
): Promise<{ name: string; email: string; url: string } | undefined> {
  return database.transaction(async ({ rows }) => {
    const [user] = await rows<{ id: number; name: string; email: string }>(memberText, [emailKey(email)]);
    if (user === undefined) return undefined;
    const url = await makeLink({ rows, links, now: clock.now() }, "reset", { userId: user.id, membershipId: null });
    return { name: user.name, email: user.email, url };
  });
}

const memberText = `select u.id, u.name, u.email from users u
  where u.email_key = ? and exists (select 1 from memberships m where m.user_id = u.id)`;

interface MakeLinkDeps extends Pick<Rows, "rows"> {
  readonly links: Links;
  readonly now: Date;
}

function inChange({ rows, now, tools }: Change): MakeLinkDeps {
  return { rows, now, links: tools.links };
}

async function makeLink(
  { rows, links, now }: MakeLinkDeps,
  kind: AccountLinkKind,
  { userId, membershipId }: { userId: number; membershipId: number | null },
): Promise<string> {
  const token = mintSecret(prefixes[kind]);
  const ends = new Date(now.getTime() + limits.accountLinkSeconds[kind] * 1000);
  await rows(insertText, [kind, userId, membershipId, hashSecret(token), now, ends]);
  return links.to(`/${kind}/${token}`);
}

/** A link that is neither used nor expired, as its page shows it. */
export interface AccountLinkView {
  readonly userId: number;
  readonly name: string;
  readonly email: string;
  /** null for a reset. */
  readonly workspace: string | null;
  readonly role: Role | null;
}

const findText = `
  select u.id as "userId", u.name, u.email, w.name as workspace, m.role
  from account_links l join users u on u.id = l.user_id
  left join memberships m on m.id = l.membership_id left join workspaces w on w.id = m.workspace_id
  where l.hash = ? and l.kind = ? and l.used_at is null and l.expires_at > ?`;

export async function findLink(
  { database, clock }: SessionDeps,
  kind: AccountLinkKind,
  token: string,
): Promise<AccountLinkView | undefined> {
  if (!isWellFormedSecret(prefixes[kind], token)) return undefined;
  const [link] = await database.rows<AccountLinkView>(findText, [hashSecret(token), kind, clock.now()]);
  return link;
}

const useText = `update account_links set used_at = ?
  where hash = ? and kind = ? and used_at is null and expires_at > ? returning user_id`;

/**
 * Redeems a link: sets the password (and the name, if given), ends the person's sessions and other links, and returns the token of a new
 * session; undefined if the link was used in the meantime.
 */
export async function redeemLink(
  { database, clock }: SessionDeps,
  kind: AccountLinkKind,
  { token, password, name }: { readonly token: string; readonly password: string; readonly name?: string | undefined },
): Promise<string | undefined> {
  const hash = await hashPassword(password);
  const now = clock.now();
  return database.transaction(async (change) => {
    const [spent] = await change.rows<{ user_id: number }>(useText, [now, hashSecret(token), kind, now]);
    if (spent === undefined) return undefined;
    await writePassword(change, spent.user_id, hash);
    if (name !== undefined) await change.rows("update users set name = ? where id = ?", [name, spent.user_id]);
    await endLinksOf(change, spent.user_id, now);
    return openSession(change, spent.user_id, now);
  });
}

/** Invalidates every unused link of a person. */
export async function endLinksOf(rows: Rows, userId: number, now: Date): Promise<void> {
  await rows.rows("update account_links set used_at = ? where user_id = ? and used_at is null", [now, userId]);
}

/** Sets the first password of a person. An existing password is not changed: that takes a reset link. */
export async function setFirstPassword(change: Change, { id }: Pick<UserView, "id">, hash: string): Promise<void> {
  await change.rows("update users set password_hash = ? where id = ? and password_hash is null", [hash, id]);
}

async function writePassword(rows: Rows, userId: number, hash: string): Promise<void> {
  await rows.rows("update users set password_hash = ? where id = ?", [hash, userId]);
  await endSessionsOf(rows, userId);
}

const deleteExpiredText = forgetText("account_links", "expires_at");

/** Deletes some of the expired links; resolves to how many. */
export function deleteExpiredLinks(rows: Rows, now: Date): Promise<number> {
  return forget(rows, deleteExpiredText, now);
}
