/** A person is one row in the whole service, whichever workspaces they belong to: name, e-mail address, password. */
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

/** Two workspaces may invite one person at the same moment: the insert waits for the other, and then finds its row. */
export async function findOrAddPerson(change: Change, email: string, name: string): Promise<PersonRow> {
  const key = emailKey(email);
  const [added] = await change.rows<PersonRow>(addText, [name, email, key, change.now]);
  if (added !== undefined) return added;
  const [known] = await change.rows<PersonRow>(findText, [key]);
  if (known === undefined) throw new Error("a person whose address is taken cannot be found");
  return known;
}

/**
 * Renames a person or changes their address; the password stays. A new address ends their sessions and the links that were mailed to
 * the old one, since its mailbox may belong to another person; another spelling of the same address does not. A name that was only the old
 * address follows it. Refuses, on `email`, an address that another person has.
 */
export async function changePerson(change: Change, person: PersonRow, patch: PersonPatch): Promise<PersonRow> {
  const email = patch.email ?? person.email;
  const name = patch.name ?? (person.name === person.email ? email : person.name);
  if (name === person.name && email === person.email) return person;
  const isNewAddress = emailKey(email) !== emailKey(person.email);
  // In the order in which a link is spent: links, then people, then sessions.
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
  if (isNewAddress) await endSessionsOf(change, person.id);
  return { id: person.id, name, email };
}
