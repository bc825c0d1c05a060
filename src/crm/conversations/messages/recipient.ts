/** The recipient address of an outbound message, by the kind of its channel. */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { isEmailAddress } from "../../../kit/input/email-address.ts";
import { readPhone } from "../../../kit/phone.ts";
import type { ChannelKind } from "../../../vocabulary/states.ts";
import { readSender } from "../inbound/sender.ts";

const factsText = `select conversations.kind, conversations.last_inbound_at, contacts.email, contacts.phone_key
  from conversations left join contacts on contacts.id = conversations.contact_id and contacts.deleted_at is null
  where conversations.id = ?`;

/** Messages searched for the last inbound one; if there is none, all of them were outbound. */
const lookBack = 100;
const lastSenderText = `select from_address from
    (select id, direction, from_address from messages where conversation_id = ? order by id desc limit ${lookBack}) as latest
  where direction = 'inbound' and from_address is not null order by id desc limit 1`;

interface RecipientRow {
  readonly kind: ChannelKind;
  readonly last_inbound_at: number | null;
  readonly email: string | null;
  readonly phone_key: string | null;
}

/** The kinds of channels that use phone numbers. */
const byPhone: ReadonlySet<ChannelKind> = new Set(["call", "sms", "whatsapp"]);

/**
 * The sender of the last inbound message, or else the contact's e-mail address or phone number, by the kind of the channel. If there is
 * none, what the contact lacks, as a predicate.
 */
export async function findRecipient(
  reader: Reader<LocationContext>,
  conversationId: number,
): Promise<{ readonly address: string } | { readonly lacks: string }> {
  const { country } = reader.location;
  const [facts] = await reader.rows<RecipientRow>(factsText, [conversationId]);
  const { kind, last_inbound_at, email, phone_key } = facts!;
  const own = kind === "email" ? email : byPhone.has(kind) ? numberOf(phone_key) : null;
  // If all inbound messages were automatic, their sender is only used when the contact has no address.
  const [last] =
    last_inbound_at === null && own !== null
      ? []
      : await reader.rows<{ from_address: string }>(lastSenderText, [conversationId]);
  const sender = last === undefined ? null : readSender(last.from_address, country).address;
  if (kind === "email") {
    const address = [sender, own].find((candidate) => candidate !== null && isEmailAddress(candidate));
    return address ? { address } : { lacks: "must name a contact with an email address." };
  }
  if (byPhone.has(kind)) {
    // A short code is used as it is.
    const address = sender === null ? own : (numberOf(readPhone(sender, country).key) ?? sender);
    return address === null ? { lacks: "must name a contact with a phone number." } : { address };
  }
  return sender === null ? { lacks: "must name a contact who has written on the channel." } : { address: sender };
}

/** The phone number of a key, in E.164 without extension; null if it is not a number. */
function numberOf(key: string | null): string | null {
  return key?.startsWith("+") === true ? key.replace(/;.*$/, "") : null;
}
