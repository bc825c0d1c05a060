/** A person's account: one row in the whole service (name, e-mail address, password), shared by all of their workspaces. */
import type { Change } from "../../events/caller.ts";
import { emailKey } from "../../kit/text-key.ts";
import { isTaken } from "../../storage/faults.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import { endLinksOf } from "../invitations/account-link.service.ts";
import { endSessionsOf } from "../sessions/session.service.ts";
import type { PersonPatch } from "./user.schema.ts";
import type { UserView } from "./user.view.ts";

type PersonRow = Pick<UserView, "id" | "name" | "email">;

const findText = "select id, name, email from users where email_key = ?";
const addText = `insert into users (name, email, email_key, created_at) values (?, ?, ?, ?)
  on conflict (email_key) do nothing returning id, name, email`;

/** Safe if two workspaces invite one person concurrently: the second insert waits for the first and then reads its row. */
export async function findOrAddPerson(change: Change, email: string, name: string): Promise<PersonRow> {
  const key = emailKey(email);
  const [added] = await change.rows<PersonRow>(addText, [name, email, key, change.now]);
  if (added !== undefined) return added;
  const [known] = await change.rows<PersonRow>(findText, [key]);
  if (known === undefined) throw new Error("the insert of a user conflicted, and no such user was found");
  return known;
}

/**
 * Changes a person's name or e-mail address; the password is unchanged. A new address ends the person's sessions and mailed links, since the
 * old mailbox may belong to another person; a different spelling of the same address does not. A name that equals the old address follows
 * the new one. Refuses, on `email`, an address that another person has.
 */
export async function changePerson(change: Change, person: PersonRow, patch: PersonPatch): Promise<PersonRow> {
  const email = patch.email ?? person.email;
  const name = patch.name ?? (person.name === person.email ? email : person.name);
  if (name === person.name && email === person.email) return person;
  const isNewAddress = emailKey(email) !== emailKey(person.email);
  // The lock order of redeeming a link: links, then people, then sessions.
  if (isNewAddress) await endLinksOf(change, person.id, change.now);
  try {
    await change.rows("update users set name = ?, email = ?, email_key = ? where id = ?", [
      name,
      email,
      emailKey(email),
      person.id,
    ]);
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new Invalid({ email: ["The email has already been taken."] });
  }
  if (isNewAddress) {
    // Those that were made meanwhile for the old address, too.
    await endLinksOf(change, person.id, change.now);
    await endSessionsOf(change, person.id);
  }
  return { id: person.id, name, email };
}
