/** Redacts event payloads for a credential, by the schema of the event (operation/redaction.ts). */
import type { z } from "zod";
import { isWhole, redact } from "../../operation/redaction.ts";
import { isAppEvent } from "../../vocabulary/events.ts";
import type { DeliveredName, EventName } from "../../vocabulary/events.ts";
import type { Grant } from "../../events/caller.ts";
import { eventShapes } from "./event-shapes.ts";

const schemas = new Map(eventShapes.map(({ event, schema }) => [event, schema]));

/** Returns the stored text itself if the credential may see all of it, or else the JSON of the redacted payload. */
export function redactPayload(held: Pick<Grant, "scopes">, event: DeliveredName, data: string): string {
  if (isAppEvent(event)) return data;
  return showsWhole(held, event) ? data : JSON.stringify(redact(schemaOf(event), held, JSON.parse(data) as unknown));
}

/** Whether a credential may see every member that the event can have. */
export function showsWhole(held: Pick<Grant, "scopes">, event: DeliveredName): boolean {
  return isAppEvent(event) || isWhole(schemaOf(event), held);
}

function schemaOf(event: EventName): z.ZodType {
  const schema = schemas.get(event);
  if (schema === undefined) throw new Error(`event-shapes.ts has no schema for ${event}`);
  return schema;
}
