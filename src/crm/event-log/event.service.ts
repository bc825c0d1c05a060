/** Records events that external tools report. */
import type { Change, LocationContext } from "../../events/caller.ts";
import { toTimestamp } from "../../kit/time/timestamp.ts";
import { lockedContactOfLocation, recordActivity } from "../contact-activity.ts";
import { readReferences } from "../references.ts";
import type { ReportEventInput } from "./event.schema.ts";
import type { ReportedEventView } from "./event.view.ts";
import { reportedEvents } from "./reported.events.ts";

/** Records a reported event, on the timeline of its contact if it names one. Refuses, with 422, a contact of another location. */
export async function reportEvent(
  change: Change<LocationContext>,
  { event, contact_id: contactId, data, occurred_at: occurredAt = null }: ReportEventInput,
): Promise<ReportedEventView> {
  const { contact_id: contact } = await readReferences(
    change,
    { contact_id: contactId },
    { contact_id: lockedContactOfLocation },
  );
  const record = reportedEvents[event].of(
    { ...data, contact, occurred_at: occurredAt === null ? null : occurredAt.toISOString() },
    occurredAt === null ? {} : { occurredAt },
  );
  const id = contact === null ? (await change.record(record))[0]! : await recordActivity(change, contact.id, record);
  return { id, event, created_at: toTimestamp(change.now.getTime()) };
}
