/** Bounds what workflows send to one contact on one channel: two programs that answer each other would else go on for ever. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";

/** A workflow has sent the contact as many messages in an hour as it may. */
export class TooManyAutomaticMessages extends Invalid {
  readonly contactId: number;
  readonly channelId: number;
  constructor(contactId: number, channelId: number) {
    const { automaticMessages: most } = limits;
    super({
      channel_id: [
        `Workflows have sent this contact ${most} messages on this channel within an hour, the most allowed.`,
      ],
    });
    this.contactId = contactId;
    this.channelId = channelId;
  }
}

const hourMilliseconds = 3_600_000;

/** No more are counted than decide. */
const sentText = `select count(*) as count from
  (select messages.id from conversations join messages on messages.conversation_id = conversations.id
   where conversations.contact_id = ? and conversations.channel_id = ? and conversations.last_message_at > ?
     and messages.cause_run_id is not null and messages.created_at > ?
   limit ${limits.automaticMessages}) as sent`;

/** Refuses one more message of a workflow than an hour allows. The contact is held, so that runs in several processes count one after the other. */
export async function refuseTooManyAutomatic(
  change: Change<LocationContext>,
  { contactId, channelId }: { readonly contactId: number; readonly channelId: number },
): Promise<void> {
  const since = new Date(change.now.getTime() - hourMilliseconds);
  const [sent] = await change.rows<{ count: number }>(sentText, [contactId, channelId, since, since]);
  if (Number(sent!.count) >= limits.automaticMessages) throw new TooManyAutomaticMessages(contactId, channelId);
}
