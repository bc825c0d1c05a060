/** A person's account: one row in the whole service (name, e-mail address, password), shared by all of their workspaces. */
import type { Change } from "../../events/caller.ts";
import { emailKey } from "../../kit/text-key.ts";
import { auditOrigin, recordAudit } from "../../operation/audit/record-audit.ts";
import { isTaken } from "../../storage/faults.ts";
import { forShare } from "../../storage/locks.ts";
import { sql } from "../../storage/sql-text.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import { endLinksOf } from "../invitations/account-link.service.ts";
import { endSessionsOf } from "../sessions/session.service.ts";
import type { PersonPatch } from "./user.schema.ts";
import type { UserView } from "./user.view.ts";

type PersonRow = Pick<UserView, "id" | "name" | "email">;

const findText = sql`select id, name, email from users where email_key = ?${forShare("users")}`;
const addText = `insert into users (name, email, email_key, created_at) values (?, ?, ?, ?)
  on conflict (email_key) do nothing returning id, name, email`;

/**
 * Safe if two workspaces invite one person concurrently: the second insert waits for the first and then reads its row. A person who is found is
 * locked: a change of the address waits for the invitation, and ends its link.
 */
export async function findOrAddPerson(
  change: Pick<Change, "rows" | "now">,
  email: string,
  name: string,
): Promise<PersonRow> {
  const key = emailKey(email);
  for (;;) {
    const [added] = await change.rows<PersonRow>(addText, [name, email, key, change.now]);
    if (added !== undefined) return added;
    const [known] = await change.rows<PersonRow>(findText, [key]);
    // Undefined if the person has got another address since the insert.
    if (known !== undefined) return known;
  }
}

const renameText = "update users set name = ? where id = ? returning id, name, email";
const moveText = `update users set email = ?, email_key = ?,
    name = coalesce(cast(? as text), case when name = email then cast(? as text) else name end)
  where id = ? returning id, name, email`;

const withdrawText =
  "delete from memberships where user_id = ? and workspace_id <> ? and joined_at is null returning workspace_id";

/**
 * Changes a person's name or e-mail address; the password is unchanged. A new address ends the person's sessions and mailed links, since the
 * old mailbox may belong to another person; so do invitations that other workspaces sent to the old one. A different spelling of the same address does not. A name that equals the old address follows
 * the new one. Refuses, on `email`, an address that another person has.
 */
export async function changePerson(change: Change, person: PersonRow, patch: PersonPatch): Promise<PersonRow> {
  const { name = null, email = person.email } = patch;
  const isMoved = email !== person.email;
  if (!isMoved && (name === null || name === person.name)) return person;
  const isNewAddress = emailKey(email) !== emailKey(person.email);
  // The lock order of redeeming a link: memberships, links, people, sessions.
  if (isNewAddress) await withdrawInvitations(change, person.id);
  // What is not given is left as it is now: another change may have set it meanwhile.
  const [changed] = isMoved
    ? await change.rows<PersonRow>(moveText, [email, emailKey(email), name, email, person.id]).catch(refuseTaken)
    : await change.rows<PersonRow>(renameText, [name, person.id]);
  if (isNewAddress) {
    // Those that were made meanwhile for the old address, too.
    await withdrawInvitations(change, person.id);
    await endSessionsOf(change, person.id);
  }
  return changed!;
}

/** Withdraws the invitations of other workspaces, which their audit logs say, and ends all links. */
async function withdrawInvitations(change: Change, userId: number): Promise<void> {
  const withdrawn = await change.rows<{ workspace_id: number }>(withdrawText, [userId, change.workspaceId]);
  const { actor } = auditOrigin(change);
  const entry = { operation: "withdrawInvitation", actor, subject: { noun: "user", id: userId }, locationId: null };
  // Not from where: the address is that of another workspace's person.
  const entries = withdrawn.map(({ workspace_id: workspaceId }) => ({ ...entry, workspaceId, address: null }));
  if (entries.length > 0) recordAudit(change, change.now, ...entries);
  await endLinksOf(change, userId, change.now);
}

function refuseTaken(error: unknown): never {
  if (!isTaken(error)) throw error;
  throw new Invalid({ email: ["The email has already been taken."] });
}
