/** Tests the transport of a channel with a message that belongs to no conversation. */
import type { Caller, LocationContext } from "../../../events/caller.ts";
import { isEmailAddress } from "../../../kit/input/email-address.ts";
import { mintMessageId } from "../../../mail/message-id.ts";
import { readImapMailbox } from "../../../mail/server-url.ts";
import type { Outside } from "../../../outbound/outside.ts";
import { Invalid, Refusal } from "../../../vocabulary/errors.ts";
import { noteWorking } from "../channel-health.ts";
import type { TestedChannelView } from "../channel.view.ts";
import { openMailboxPassword } from "../mailboxes/mailbox.service.ts";
import { channelTransports } from "./all.ts";
import { createSenders } from "./senders.ts";
import { toOperatorReason } from "./transport.ts";
import { openTransportSecret } from "./transport-secret.ts";

const text = `select channels.id, kind, name, coalesce(outbound_address, address) as from_address, transport, transport_url, transport_secret,
    mailboxes.url as imap_url, mailboxes.password as imap_password
  from channels left join mailboxes on mailboxes.channel_id = channels.id where channels.id = ? and location_id = ?`;

interface TestedChannelRow {
  readonly id: number;
  readonly kind: string;
  readonly name: string;
  readonly from_address: string;
  readonly transport: string;
  readonly transport_url: string | null;
  readonly transport_secret: string | null;
  readonly imap_url: string | null;
  readonly imap_password: string | null;
}

/**
 * Sends a test message by the channel, paused or not, outside of a transaction. If the transport accepts it, a channel in `error` becomes
 * active; otherwise the result says where and why it failed. Refuses `channel.not_found`, and a channel whose transport only stores messages.
 */
export async function testChannel(
  caller: Caller<LocationContext>,
  outside: Outside,
  { id, to }: { readonly id: number; readonly to: string },
  transports = channelTransports,
): Promise<TestedChannelView> {
  const [channel] = await caller.rows<TestedChannelRow>(text, [id, caller.location.id]);
  if (channel === undefined) throw new Refusal("channel.not_found");
  const { kind, name, transport, transport_url: url, transport_secret: sealed } = channel;
  const mailbox = await testMailbox(caller, channel);
  if (transports.of(transport).accepts === "sent" || url === null) {
    if (mailbox.imap_reason !== undefined) return { id, name, transport, reason: null, ...mailbox };
    throw new Invalid({
      transport: [`The channel only stores its messages: its transport is ${transport}.`],
    });
  }
  if (kind === "email" && !isEmailAddress(to))
    throw new Invalid({ to: ["The to field must be a valid email address."] });
  const { clock } = caller.tools;
  const senders = createSenders({ outside, clock }, transports);
  const message = {
    id: 0,
    conversationId: 0,
    channel: { id, kind, name },
    from: channel.from_address === "" ? null : channel.from_address,
    to,
    contact: null,
    replyTo: null,
    subject: `Test of ${name}`,
    body: "This is a test: the channel works.",
    html: null,
    retry: 0,
    isAutomatic: true,
    unsubscribeUrl: null,
    messageId: kind === "email" ? mintMessageId(channel.from_address) : null,
    attachments: [],
    createdAt: clock.now().getTime(),
    earlier: [],
  };
  const secret = sealed === null ? null : openTransportSecret(caller.tools, id, sealed);
  try {
    const attempt = await senders.send(transport, message, { url, secret }, new AbortController().signal);
    if (attempt.outcome !== "taken") return { id, name, transport, reason: toOperatorReason(attempt), ...mailbox };
    await caller.change(async (change) => noteWorking(change, id));
    return { id, name, transport, reason: null, ...mailbox };
  } finally {
    await senders.close();
  }
}

/** Opens the mailbox of a channel and closes it; without one, the result is empty. */
async function testMailbox(
  { tools }: Caller<LocationContext>,
  { id, imap_url: url, imap_password: password }: TestedChannelRow,
): Promise<Pick<TestedChannelView, "imap_reason">> {
  if (url === null || password === null) return {};
  const server = readImapMailbox(url);
  if (typeof server === "string") return { imap_reason: `The URL of the mailbox ${server}` };
  const { ImapFault, openImap } = await import("../../../mail/imap.ts");
  try {
    const opened = await openImap({ server, password: openMailboxPassword(tools, id, password), mostBytes: 1 });
    opened.close();
    return { imap_reason: null };
  } catch (error) {
    if (!(error instanceof ImapFault)) throw error;
    return { imap_reason: error.message };
  }
}
