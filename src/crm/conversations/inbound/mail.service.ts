/** Receives a parsed mail: as a message of its thread, or as a report about one of ours. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import type { Mailbox } from "../../../kit/input/mailbox.ts";
import { splitAt } from "../../../kit/text.ts";
import type { ParsedMail } from "../../../mail/parsing/parsed-mail.ts";
import { limits } from "../../../vocabulary/limits.ts";
import type { StoredFiles } from "../attachments/received-attachments.ts";
import type { ConversationChannel } from "../conversation.service.ts";
import { receiveMessage } from "./inbound.service.ts";
import type { ReceivedMessage } from "./inbound.service.ts";
import { receiveDeliveryReport } from "./report.service.ts";

/** Receives a mail; undefined if it is a report about nothing known, which is dropped. */
export async function receiveMail(
  change: Change<LocationContext>,
  channel: ConversationChannel,
  mail: ParsedMail,
  stored: StoredFiles,
): Promise<ReceivedMessage | undefined> {
  if (mail.report !== null) return receiveDeliveryReport(change, channel, mail, mail.report);
  const { digest, to, subject, body, html, messageId, references, isShortened } = mail;
  return receiveMessage(change, channel, {
    from: toText(mail.sender),
    to: to === null ? null : splitAt(to, limits.channelAddress)[0],
    subject,
    body,
    html,
    external_id: messageId !== null && messageId.length <= limits.externalId ? messageId : digest,
    automatic: mail.isAutomatic,
    mail: { messageId, references, isShortened },
    stored,
  });
}

/** A sender without an address is unknown; the mail is kept. */
function toText({ name, address }: Mailbox): string {
  if (address === "") return "unknown";
  const brackets = ` <${address}>`;
  return name === null ? address : `${splitAt(name, limits.channelAddress - brackets.length)[0]}${brackets}`;
}
