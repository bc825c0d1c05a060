/** The envelope in which an event leaves the service: `{id, event, created_at, data}` (specification, "Webhook delivery envelope"). */
import { toTimestamp } from "../kit/time/timestamp.ts";
import type { DeliveredName } from "../vocabulary/events.ts";

interface EnvelopeFields {
  /** The id of the delivery in webhooks; elsewhere the id of the event. */
  readonly id: number;
  readonly event: DeliveredName;
  /** When the event was recorded, in milliseconds since 1970. */
  readonly created_at: number;
  /** The frozen payload, as the event's row holds it. */
  readonly data: string;
}

/**
 * The envelope as text, members in the order of the specification. It wraps the frozen text of `data` without parsing it, so that the
 * same event always gives the same bytes: the bytes are signed.
 */
export function toEnvelope(facts: EnvelopeFields): string {
  return `{${toEnvelopeMembers(facts)}}`;
}

/** The members without braces, for texts with further members: avoids slicing and copying long texts. */
export function toEnvelopeMembers({ id, event, created_at, data }: EnvelopeFields): string {
  return `"id":${id},"event":"${event}","created_at":"${toTimestamp(created_at)}","data":${data}`;
}
