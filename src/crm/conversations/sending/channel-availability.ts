/** Whether a channel accepts messages of workflows: a circuit breaker, closed while it is active, open while it is paused. */
import type { Rows } from "../../../storage/rows.ts";
import type { ChannelStatus } from "../../../vocabulary/states.ts";
import { sendingStatus } from "../../channels/channel-health.ts";

/**
 * SQL: whether a channel that cannot deliver (status `error`) has a message in its queue. While it has none, the breaker is half-open: it accepts
 * one, which shows whether it delivers again. Each condition is that of a partial index.
 */
export const isProbed = `(exists (select 1 from message_sends where channel_id = channels.id and due_at is not null)
  or exists (select 1 from message_sends where leased_until is not null and channel_id = channels.id)
  or exists (select 1 from message_sends where at_head = true and due_at is null and leased_until is null
    and channel_id = channels.id))`;

const text = `select contacts.dnd, channels.status, case when ${sendingStatus} = 'error' then ${isProbed} else false end as is_probed
  from contacts left join channels on channels.id = ? and channels.location_id = contacts.location_id where contacts.id = ?`;

interface AvailabilityRow {
  readonly dnd: boolean | number;
  /** null if the location has no such channel. */
  readonly status: ChannelStatus | null;
  readonly is_probed: boolean | number;
}

/** `dnd`: the contact is set to do not disturb. */
export type Availability = "dnd" | "open" | "closed";

/** For a message to a contact. An unknown channel counts as closed: sending refuses it by name. */
export async function findAvailability(rows: Rows, channelId: number, contactId: number): Promise<Availability> {
  const [found] = await rows.rows<AvailabilityRow>(text, [channelId, contactId]);
  if (found?.dnd) return "dnd";
  return found?.status === "paused" || found?.is_probed ? "open" : "closed";
}
