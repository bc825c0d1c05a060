/** Rate limits the messages of workflows to one contact on one channel, which ends loops between two auto-responders. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";

/** Workflows have reached the hourly limit of messages to a contact. */
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

/** Stops counting at the limit. */
const sentText = `select count(*) as count from
  (select messages.id from conversations join messages on messages.conversation_id = conversations.id
   where conversations.contact_id = ? and conversations.channel_id = ? and conversations.last_message_at > ?
     and messages.cause_run_id is not null and messages.created_at > ? and messages.created_at < ?
   limit ${limits.automaticMessages}) as sent`;

/** Refuses a message over the hourly limit. The contact must be locked, which serializes the counts of concurrent runs. */
export async function refuseTooManyAutomatic(
  change: Change<LocationContext>,
  { contactId, channelId }: { readonly contactId: number; readonly channelId: number },
): Promise<void> {
  const since = new Date(change.now.getTime() - hourMilliseconds);
  // A clock that was set back leaves no limit exhausted until it catches up.
  const until = new Date(change.now.getTime() + hourMilliseconds);
  const [sent] = await change.rows<{ count: number }>(sentText, [contactId, channelId, since, since, until]);
  if (Number(sent!.count) >= limits.automaticMessages) throw new TooManyAutomaticMessages(contactId, channelId);
}
