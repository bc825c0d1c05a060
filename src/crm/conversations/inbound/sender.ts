/** Identifies the sender of a message: normalizes the address, and finds the contact or a possible match. */
import type { Change, LocationContext, Reader } from "../../../events/caller.ts";
import { isEmailAddress } from "../../../kit/input/email-address.ts";
import { splitMailbox } from "../../../kit/input/mailbox.ts";
import type { Mailbox } from "../../../kit/input/mailbox.ts";
import { readPhone } from "../../../kit/phone.ts";
import { emailKey, textKey } from "../../../kit/text-key.ts";
import { forUpdate } from "../../../storage/locks.ts";
import { sql } from "../../../storage/sql-text.ts";
import { selectReference } from "../../contact-activity.ts";
import type { ContactReference } from "../../contact-activity.ts";
import { requireUnmerged } from "../../contact-redirects.ts";

export interface Sender extends Mailbox {
  /** The column of contacts to compare, and the normalized value. */
  readonly by: "email_key" | "phone_key";
  readonly key: string;
}

/** Parses `from`: an e-mail address or phone number, alone or in angle brackets after a name. */
export function readSender(from: string, country: string): Sender {
  const sender = splitMailbox(from);
  const { address } = sender;
  if (isEmailAddress(address)) return { ...sender, by: "email_key", key: emailKey(address) };
  return { ...sender, by: "phone_key", key: readPhone(address, country).key ?? "" };
}

const notDeleted = "location_id = ? and deleted_at is null";

/** A row that a concurrent change deletes is returned as it is once locked. */
const byKey = (column: Sender["by"]) =>
  sql`${selectReference}, deleted_at is not null as is_gone from contacts
    where id = (select id from contacts where ${notDeleted} and ${column} = ? order by id limit 1)${forUpdate("contacts")}`;
const byKeyTexts = { email_key: byKey("email_key"), phone_key: byKey("phone_key") };

/**
 * Locks the contact of the location with this address; of several, the first, and the next if that one was deleted meanwhile. Begins the change
 * anew if it was merged.
 */
export async function lockSender(
  change: Change<LocationContext>,
  sender: Sender,
): Promise<ContactReference | undefined> {
  const { by, key } = sender;
  const [found] = await change.rows<ContactReference & { readonly is_gone: boolean | number }>(byKeyTexts[by], [
    change.location.id,
    key,
  ]);
  if (found === undefined) return undefined;
  const { is_gone: isGone, ...contact } = found;
  if (isGone === false || isGone === 0) return contact;
  await requireUnmerged(change, [contact.id]);
  return lockSender(change, sender);
}

/** The trailing digits that two spellings of a number share, with or without country and area code. */
const sharedDigits = 7;

const byEndText = `select id, name from contacts where ${notDeleted} and phone_key is not null
  and substr(phone_key, length(phone_key) - ${sharedDigits - 1}) = ? order by id limit 2`;
const byNameText = `select id, name from contacts where ${notDeleted} and name_key = ? order by id limit 2`;

/** The contact that an unknown sender may be: the only one with the same end of the number or the same name. */
export async function findPossibleMatch(
  reader: Reader<LocationContext>,
  { by, address, name }: Sender,
): Promise<{ readonly id: number; readonly name: string } | null> {
  const digits = by === "phone_key" ? address.replaceAll(/\D/g, "").slice(-sharedDigits) : "";
  const find = (text: string, value: string) =>
    reader.rows<{ id: number; name: string }>(text, [reader.location.id, value]);
  const found = [
    ...(digits.length === sharedDigits ? await find(byEndText, digits) : []),
    ...(name === null ? [] : await find(byNameText, textKey(name))),
  ];
  return new Set(found.map(({ id }) => id)).size === 1 ? found[0]! : null;
}
