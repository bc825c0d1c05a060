/** The envelope in which an event leaves the service: `{id, event, created_at, data}` (specification, "Webhook delivery envelope"). */
import { toTimestamp } from "../kit/time/timestamp.ts";
import type { EventName } from "../vocabulary/events.ts";

interface EnvelopeFacts {
  /** Of the delivery, where the event is delivered; else of the event. */
  readonly id: number;
  readonly event: EventName;
  /** When the event was recorded, in milliseconds since 1970. */
  readonly created_at: number;
  /** The frozen payload, as the event's row holds it. */
  readonly data: string;
}

/**
 * The envelope as text, members in the order of the specification. It is put around the frozen text of `data` and parses nothing, so
 * that the same facts give the same bytes, which are signed, however often and whenever they are sent.
 */
export function toEnvelope(facts: EnvelopeFacts): string {
  return `{${toEnvelopeMembers(facts)}}`;
}

/** The members alone, for a text that has more of them: long texts are put together once and cut by nobody. */
export function toEnvelopeMembers({ id, event, created_at, data }: EnvelopeFacts): string {
  return `"id":${id},"event":"${event}","created_at":"${toTimestamp(created_at)}","data":${data}`;
}
