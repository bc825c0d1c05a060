/**
 * One-time links: invitations, password resets, and the setup link (setup-link.service.ts). The invitation of an account without a password lets its
 * holder choose one; an account with a password accepts it signed in, so that a link never gives an account away, nor an account another workspace.
 */
import type { Change } from "../../events/caller.ts";
import type { Links } from "../../kit/links.ts";
import { hashSecret, isWellFormedSecret, mintSecret } from "../../kit/secrets/secret.ts";
import { emailKey } from "../../kit/text-key.ts";
import { forget, forgetText } from "../../storage/forget.ts";
import { forShare } from "../../storage/locks.ts";
import type { Rows } from "../../storage/rows.ts";
import { sql } from "../../storage/sql-text.ts";
import { Invalid, Refusal } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import type { Role } from "../../vocabulary/states.ts";
import type { SessionDeps } from "../sessions/session.service.ts";
import { findUser } from "../users/user.queries.ts";
import type { UserView } from "../users/user.view.ts";

export const linkPrefixes = { invitation: "crm_invitation_", reset: "crm_reset_", setup: "crm_setup_" } as const;

export type AccountLinkKind = keyof typeof linkPrefixes;

const insertText = `
  insert into account_links (kind, user_id, membership_id, hash, created_at, expires_at) values (?, ?, ?, ?, ?, ?)`;

const invitedText = sql`select m.id as membership_id, m.joined_at, u.password_hash is not null as has_password
  from memberships m join users u on u.id = m.user_id
  where m.workspace_id = ? and m.user_id = ?${forShare("u")}`;

interface InvitedRow {
  readonly membership_id: number;
  readonly joined_at: number | null;
  readonly has_password: boolean | number;
}

export interface InvitationLink {
  readonly url: string;
  /** Whether the person has a password, and so signs in to accept. */
  readonly hasPassword: boolean;
}

/**
 * Creates an invitation link. The person is locked: a change of the address waits for the link, and ends it. Refuses `user.not_found`, and a person who
 * has joined the workspace.
 */
export async function makeInvitationLink(change: Change, { id }: Pick<UserView, "id">): Promise<InvitationLink> {
  const [person] = await change.rows<InvitedRow>(invitedText, [change.workspaceId, id]);
  if (person === undefined) throw new Refusal("user.not_found");
  if (person.joined_at !== null) throw new Invalid({ email: ["This person is a member of the workspace already."] });
  const url = await makeLink(inChange(change), "invitation", { userId: id, membershipId: person.membership_id });
  return { url, hasPassword: Boolean(person.has_password) };
}

const endInvitationsText = `update account_links set used_at = ? where used_at is null and kind <> 'reset'
  and membership_id = (select id from memberships where workspace_id = ? and user_id = ?)`;

/** Invalidates the unused invitation links of a person to the workspace; reset links, which are the operator's, stay. */
export async function endInvitationsOf(change: Change, userId: number): Promise<void> {
  await change.rows(endInvitationsText, [change.now, change.workspaceId, userId]);
}

/**
 * Creates a reset link for a person of the workspace, who joins it by the link, if they have not. The person is locked: a change of the address waits
 * for the link, and ends it. Refuses `user.not_found`.
 */
export async function makeResetLink(
  change: Change,
  emailOrId: string | number,
): Promise<{ user: UserView; url: string }> {
  const found = await findUser(change, emailOrId);
  const [invited] =
    found === undefined ? [] : await change.rows<InvitedRow>(invitedText, [change.workspaceId, found.id]);
  // Another change may have given them another address in the meantime.
  const user = found && (await findUser(change, found.id));
  if (user === undefined || invited === undefined) throw new Refusal("user.not_found");
  return {
    user,
    url: await makeLink(inChange(change), "reset", { userId: user.id, membershipId: invited.membership_id }),
  };
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

/** Locked: a change of the address waits for the link, and ends it. */
const memberText = sql`select u.id, u.name, u.email from users u
  where u.email_key = ? and exists (select 1 from memberships m where m.user_id = u.id)${forShare("u")}`;

interface MakeLinkDeps extends Pick<Rows, "rows"> {
  readonly links: Links;
  readonly now: Date;
}

export function inChange({ rows, now, tools }: Change): MakeLinkDeps {
  return { rows, now, links: tools.links };
}

export async function makeLink(
  { rows, links, now }: MakeLinkDeps,
  kind: AccountLinkKind,
  { userId, membershipId }: { userId: number; membershipId: number | null },
): Promise<string> {
  const token = mintSecret(linkPrefixes[kind]);
  const ends = new Date(now.getTime() + limits.accountLinkSeconds[kind] * 1000);
  await rows(insertText, [kind, userId, membershipId, hashSecret(token), now, ends]);
  return links.to(`/${kind}/${token}`);
}

/** A link that is neither used nor expired, as its page shows it. */
export interface AccountLinkView {
  readonly userId: number;
  readonly name: string;
  readonly email: string;
  /** null for a reset that the person asked for themselves. */
  readonly workspace: string | null;
  readonly role: Role | null;
  readonly hasPassword: boolean;
}

const findText = `
  select u.id as "userId", u.name, u.email, w.name as workspace, m.role, u.password_hash is not null as "hasPassword"
  from account_links l join users u on u.id = l.user_id
  left join memberships m on m.id = l.membership_id left join workspaces w on w.id = m.workspace_id
  where l.hash = ? and l.kind = ? and l.used_at is null and l.expires_at > ? and (l.kind <> 'invitation' or m.joined_at is null)`;

export async function findLink(
  { database, clock }: SessionDeps,
  kind: AccountLinkKind,
  token: string,
): Promise<AccountLinkView | undefined> {
  if (!isWellFormedSecret(linkPrefixes[kind], token)) return undefined;
  const [link] = await database.rows<AccountLinkView>(findText, [hashSecret(token), kind, clock.now()]);
  return link && { ...link, hasPassword: Boolean(link.hasPassword) };
}

const useText = `update account_links set used_at = ?
  where hash = ? and kind = ? and used_at is null and expires_at > ? returning user_id`;

/** Marks a link as used; resolves to its person, or undefined if it is used or expired. */
export async function useLink(
  rows: Rows,
  kind: AccountLinkKind,
  token: string,
  now: Date,
): Promise<number | undefined> {
  const [used] = await rows.rows<{ user_id: number }>(useText, [now, hashSecret(token), kind, now]);
  return used?.user_id;
}

/** Invalidates every unused link of a person. */
export async function endLinksOf(rows: Rows, userId: number, now: Date): Promise<void> {
  await rows.rows("update account_links set used_at = ? where user_id = ? and used_at is null", [now, userId]);
}

/** Invalidates the unused links that set a password. Invitations stay: those of an account with a password are accepted signed in. */
export async function endResetsOf(rows: Rows, userId: number, now: Date): Promise<void> {
  await rows.rows("update account_links set used_at = ? where user_id = ? and kind = 'reset' and used_at is null", [
    now,
    userId,
  ]);
}

const deleteExpiredText = forgetText("account_links", "expires_at");

/** Deletes some of the expired links; resolves to how many. */
export function deleteExpiredLinks(rows: Rows, now: Date): Promise<number> {
  return forget(rows, deleteExpiredText, now);
}
