/** The setup link: the owner that a first start created chooses their account, and names the workspace and its first location. */
import type { CallAs } from "../../events/call-as.ts";
import type { Change } from "../../events/caller.ts";
import { emailKey } from "../../kit/text-key.ts";
import { hashSecret, isWellFormedSecret } from "../../kit/secrets/secret.ts";
import { personCaller } from "../../operation/callers.ts";
import { ownerRole } from "../../operation/roles.ts";
import type { Rows } from "../../storage/rows.ts";
import { updateLocation } from "../locations/location.service.ts";
import { hashPassword } from "../passwords/password.ts";
import { openSession } from "../sessions/session.service.ts";
import type { SessionDeps } from "../sessions/session.service.ts";
import type { Browser } from "../sessions/sign-in.service.ts";
import { recordPersonAudit } from "../users/person-audit.ts";
import { changePerson } from "../users/person.service.ts";
import { lockWorkspace, renameWorkspace } from "../workspaces/workspace.service.ts";
import { endLinksOf, inChange, linkPrefixes, makeLink, useLink } from "./account-link.service.ts";
import { holdMembership, join, writePassword } from "./redeem-link.service.ts";
import type { SetupForm } from "./setup-link.schema.ts";

/** The placeholder address of the owner that a first start creates. No mail reaches it: the domain is reserved (RFC 2606). */
export const placeholderEmail = "owner@example.com";

const placeholderText = `select 1 from users where email_key = ?
  and not exists (select 1 from users able where able.password_hash is not null)`;

/** Whether the owner of a first start still has the placeholder address, and no person of the service has a password. */
export async function awaitsSetup(rows: Rows): Promise<boolean> {
  return (await rows.rows(placeholderText, [emailKey(placeholderEmail)])).length > 0;
}

const ownerText = `
  select m.id as membership_id, u.id as user_id from memberships m join users u on u.id = m.user_id
  where m.workspace_id = ? and m.role = ? and u.id = ? and u.email_key = ? and u.password_hash is null`;

/** Creates a setup link for the placeholder owner, and invalidates earlier ones; undefined for any other person. */
export async function makeSetupLink(change: Change, userId: number): Promise<string | undefined> {
  const values = [change.workspaceId, ownerRole, userId, emailKey(placeholderEmail)];
  const [owner] = await change.rows<{ membership_id: number; user_id: number }>(ownerText, values);
  if (owner === undefined) return undefined;
  await endLinksOf(change, owner.user_id, change.now);
  return makeLink(inChange(change), "setup", { userId: owner.user_id, membershipId: owner.membership_id });
}

/** A setup link that is neither used nor expired: the owner, and what its form changes. */
export interface SetupLinkView {
  readonly userId: number;
  readonly name: string;
  readonly email: string;
  readonly workspaceId: number;
  readonly workspace: string;
  /** The oldest location of the workspace. */
  readonly locationId: number;
  readonly location: string;
  readonly timezone: string;
  readonly country: string;
}

const findText = `
  select u.id as "userId", u.name, u.email, w.id as "workspaceId", w.name as workspace,
    l.id as "locationId", l.name as location, l.timezone, l.country
  from account_links k join users u on u.id = k.user_id
  join memberships m on m.id = k.membership_id join workspaces w on w.id = m.workspace_id
  join locations l on l.id = (select min(id) from locations where workspace_id = w.id)
  where k.hash = ? and k.kind = 'setup' and k.used_at is null and k.expires_at > ?`;

export async function findSetupLink(
  { database, clock }: SessionDeps,
  token: string,
): Promise<SetupLinkView | undefined> {
  if (!isWellFormedSecret(linkPrefixes.setup, token)) return undefined;
  const [link] = await database.rows<SetupLinkView>(findText, [hashSecret(token), clock.now()]);
  return link;
}

/**
 * Redeems a setup link in one transaction, as the owner, and returns the token of a new session; undefined if the link was used in the
 * meantime. An address that another person has is refused, and the link remains valid.
 */
export async function redeemSetupLink(
  { callAs }: { readonly callAs: CallAs },
  link: SetupLinkView,
  token: string,
  { email, name, password, workspace, location, timezone, country, userAgent, address }: SetupForm & Browser,
): Promise<string | undefined> {
  const hash = await hashPassword(password);
  const { userId, workspaceId } = link;
  const owner = callAs(personCaller({ userId, name }, { id: workspaceId, role: ownerRole, locationIds: null }));
  return owner.change(async (change) => {
    // The lock order: workspaces, memberships, links, people, sessions, locations.
    await lockWorkspace(change);
    const membership = await holdMembership(change, token);
    if ((await useLink(change, "setup", token, change.now)) === undefined) return undefined;
    await endLinksOf(change, userId, change.now);
    await changePerson(change, { id: userId, name: link.name, email: link.email }, { email, name });
    await writePassword(change, userId, hash);
    if (membership !== undefined) await join(change, membership.id, change.now);
    await renameWorkspace(change, { name: workspace });
    await updateLocation(change, link.locationId, { name: location, timezone, country });
    await recordPersonAudit(change, change.now, {
      operation: "choosePassword",
      userId,
      address,
      details: { link: "setup" },
    });
    return openSession(change, userId, { now: change.now, userAgent });
  });
}
