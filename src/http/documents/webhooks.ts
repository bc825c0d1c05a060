/** Webhooks in the OpenAPI document: the request that a receiver gets, for each event. */
import { z } from "zod";
import { events } from "../../vocabulary/events.ts";
import type { EventName } from "../../vocabulary/events.ts";
import type { JsonSchema } from "../json-schema.ts";
import { nameOutput } from "./component-schemas.ts";
import type { Schemas } from "./component-schemas.ts";

/** An event as the document shows it. */
export interface DocumentedEvent {
  readonly event: EventName;
  /** The shape of `data`. */
  readonly schema: z.ZodType;
  /** The body of a request. */
  readonly sample: object;
}

/** Headers of every delivery. */
const parameters = [
  header("X-Service-Event", "The name of the event.", "contact.created"),
  header("X-Service-Delivery", "The id of the delivery, the same in every attempt.", "42"),
  header(
    "X-Service-Signature",
    "The time and the HMAC SHA-256 of the body, keyed with the secret of the webhook.",
    "t=1772366400,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
  ),
];

function header(name: string, description: string, example: string): JsonSchema {
  return { name, in: "header", required: true, description, schema: { type: "string", examples: [example] } };
}

/** The `webhooks` of the document, by event; their shapes go to `schemas`. */
export function toWebhooks(documented: readonly DocumentedEvent[], schemas: Schemas): JsonSchema {
  return Object.fromEntries(documented.map((event) => [event.event, { post: toWebhook(event, schemas) }]));
}

function toWebhook({ event, schema: data, sample }: DocumentedEvent, schemas: Schemas): JsonSchema {
  const { raisedBy, scope } = events[event];
  const name = `${pascalCase(event)}Event`;
  const body = z
    .object({
      id: z.int().positive().describe("The id of the delivery: ignore one that you have processed."),
      event: z.literal(event),
      created_at: z.iso.datetime(),
      data,
    })
    .meta({ id: name, description: `The event ${event}.`, examples: [sample] });
  const schema = nameOutput(body, schemas);
  return {
    operationId: `on${pascalCase(event)}`,
    summary: `${event}: ${raisedBy}.`,
    tags: ["Events"],
    ...(scope === null ? {} : { description: `Its receiver needs the scope \`${scope}\`.` }),
    security: [],
    parameters,
    requestBody: { required: true, content: { "application/json": { schema, example: sample } } },
    responses: {
      "2XX": { description: "Accepted, if the headers arrive within ten seconds." },
      default: { description: "Not accepted: the delivery is retried." },
    },
  };
}

/** `contact.tag_added` → ContactTagAdded */
function pascalCase(event: string): string {
  return event.replaceAll(/(?:^|[._])(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
