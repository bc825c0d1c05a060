/** Whom a message of a conversation goes to, as its channel reaches them. */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { isEmailAddress } from "../../../kit/input/email-address.ts";
import { readPhone } from "../../../kit/phone.ts";
import type { ChannelKind } from "../../../vocabulary/states.ts";
import { readSender } from "../inbound/sender.ts";

const factsText = `select conversations.kind, conversations.last_inbound_at, contacts.email, contacts.phone_key
  from conversations left join contacts on contacts.id = conversations.contact_id and contacts.deleted_at is null
  where conversations.id = ?`;

/** So far back an answer is answered; what was written since then came from us alone. */
const lookBack = 100;
const lastSenderText = `select from_address from
    (select id, direction, from_address from messages where conversation_id = ? order by id desc limit ${lookBack}) as latest
  where direction = 'inbound' and from_address is not null order by id desc limit 1`;

interface AddresseeRow {
  readonly kind: ChannelKind;
  readonly last_inbound_at: number | null;
  readonly email: string | null;
  readonly phone_key: string | null;
}

/** The kinds of channels that reach phone numbers. */
const byPhone: ReadonlySet<ChannelKind> = new Set(["call", "sms", "whatsapp"]);

/**
 * Where the last message came from; before there is one the e-mail address or the phone number of the contact, whichever the channel's kind
 * reaches. Else what the contact lacks, as a predicate.
 */
export async function findAddressee(
  reader: Reader<LocationContext>,
  conversationId: number,
): Promise<{ readonly address: string } | { readonly lacks: string }> {
  const { country } = reader.location;
  const [facts] = await reader.rows<AddresseeRow>(factsText, [conversationId]);
  const { kind, last_inbound_at, email, phone_key } = facts!;
  const own = kind === "email" ? email : byPhone.has(kind) ? numberOf(phone_key) : null;
  // Programs alone may have written, who are answered where nobody else can be.
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
    // A short number that wrote can be answered as it stands.
    const address = sender === null ? own : (numberOf(readPhone(sender, country).key) ?? sender);
    return address === null ? { lacks: "must name a contact with a phone number." } : { address };
  }
  return sender === null ? { lacks: "must name a contact who has written on the channel." } : { address: sender };
}

/** The number of a key, in E.164 and without an extension; null for what is no number. */
function numberOf(key: string | null): string | null {
  return key?.startsWith("+") === true ? key.replace(/;.*$/, "") : null;
}
