/** Who a message may be from: its sender's address as contacts have it, and the contacts that it points at. */
import type { Place, Reader } from "../../../events/caller.ts";
import { isEmailAddress } from "../../../kit/input/email-address.ts";
import { splitMailbox } from "../../../kit/input/mailbox.ts";
import type { Mailbox } from "../../../kit/input/mailbox.ts";
import { readPhone } from "../../../kit/phone.ts";
import { emailKey, textKey } from "../../../kit/text-key.ts";

export interface Sender extends Mailbox {
  /** By which column of contacts the address is compared, and what it is there. */
  readonly by: "email_key" | "phone_key";
  readonly key: string;
}

/** Reads what stands in `from`: an e-mail address or a phone number, alone or in angle brackets behind a name. */
export function readSender(from: string, country: string): Sender {
  const sender = splitMailbox(from);
  const { address } = sender;
  if (isEmailAddress(address)) return { ...sender, by: "email_key", key: emailKey(address) };
  return { ...sender, by: "phone_key", key: readPhone(address, country).key ?? "" };
}

const alive = "location_id = ? and deleted_at is null";

const byKeyTexts = {
  email_key: `select id from contacts where ${alive} and email_key = ? order by id limit 1`,
  phone_key: `select id from contacts where ${alive} and phone_key = ? order by id limit 1`,
};

/** The contact of the location whose address it is; of several the first. */
export async function findSender(reader: Reader<Place>, { by, key }: Sender): Promise<number | undefined> {
  const [contact] = await reader.rows<{ id: number }>(byKeyTexts[by], [reader.location.id, key]);
  return contact?.id;
}

/** So many digits are what two numbers of one person share where one of them lacks its country or its area. */
const sharedDigits = 7;

const byEndText = `select id from contacts where ${alive} and phone_key is not null
  and substr(phone_key, length(phone_key) - ${sharedDigits - 1}) = ? order by id limit 2`;
const byNameText = `select id from contacts where ${alive} and name_key = ? order by id limit 2`;

/** The contact who may be a sender whom nobody knows: the one alone who shares the end of the number, or the name. */
export async function findPossibleMatch(reader: Reader<Place>, { by, address, name }: Sender): Promise<number | null> {
  const digits = by === "phone_key" ? address.replaceAll(/\D/g, "").slice(-sharedDigits) : "";
  const find = (text: string, value: string) => reader.rows<{ id: number }>(text, [reader.location.id, value]);
  const found = [
    ...(digits.length === sharedDigits ? await find(byEndText, digits) : []),
    ...(name === null ? [] : await find(byNameText, textKey(name))),
  ];
  const ids = new Set(found.map((contact) => contact.id));
  return ids.size === 1 ? [...ids][0]! : null;
}
