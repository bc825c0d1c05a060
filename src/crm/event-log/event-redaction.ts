/** The payload of an event as a credential may see it: members of other nouns are redacted by the event's shape (operation/redaction.ts). */
import { isWhole, redact } from "../../operation/redaction.ts";
import type { EventName } from "../../vocabulary/events.ts";
import type { Grant } from "../../events/caller.ts";
import { eventShapes } from "./event-shapes.ts";

const schemas = new Map(eventShapes.map(({ event, schema }) => [event, schema]));

/** The frozen text itself where the credential may see all of it, or else the JSON of what is left. */
export function redactPayload(held: Pick<Grant, "scopes">, event: EventName, data: string): string {
  const schema = schemas.get(event);
  if (schema === undefined) throw new Error(`event-shapes.ts knows no shape of ${event}`);
  return isWhole(schema, held) ? data : JSON.stringify(redact(schema, held, JSON.parse(data) as unknown));
}
