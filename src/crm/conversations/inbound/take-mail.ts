/** Takes a raw mail, in pieces, for a channel, from the inbound URL or a mailbox: parses it, and commits what becomes of it. */
import type { Blobs } from "../../../blobs/blobs.ts";
import type { CallAs } from "../../../events/call-as.ts";
import type { MailParser } from "../../../mail/parsing/mail-parser.ts";
import { channelIdentity } from "../../channels/channel-identity.ts";
import type { InboundChannel } from "../../channels/channel.queries.ts";
import { receiveWithFiles } from "../attachments/received-attachments.ts";
import type { ReceivedMessage } from "./inbound.service.ts";
import { receiveMail } from "./mail.service.ts";

export interface TakeMailDeps {
  readonly callAs: CallAs;
  readonly blobs: Blobs;
  readonly mails: MailParser;
  readonly log: { readonly warn: (message: string, fields: object) => void };
}

export type TakeMail = (channel: InboundChannel, raw: readonly Uint8Array[]) => Promise<ReceivedMessage | undefined>;

export function createTakeMail({ callAs, blobs, mails, log }: TakeMailDeps): TakeMail {
  return async (channel, raw) => {
    const mail = await mails.parse(raw);
    const caller = callAs(channelIdentity(channel));
    const files = mail.report === null ? mail.parts : [];
    const received = await receiveWithFiles({ caller, blobs }, files, (change, stored) =>
      receiveMail(change, channel, mail, stored),
    );
    if (received === undefined)
      log.warn("a report about an unknown mail was dropped", { channel_id: channel.id, reason: mail.report?.reason });
    return received;
  };
}
