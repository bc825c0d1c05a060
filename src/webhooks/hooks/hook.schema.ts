/** The input of webhooks. */
import { z } from "zod";
import { creation } from "../../kit/input/creation.ts";
import { text, wholeNumber } from "../../kit/input/fields.ts";
import { nearest } from "../../kit/nearest.ts";
import { eventNames } from "../../vocabulary/events.ts";
import type { EventName } from "../../vocabulary/events.ts";

/** Every event but the test ping. */
export const hookEventNames = eventNames.filter((name) => name !== "ping");

/** The fault of `event` for a registration as a predicate; undefined if valid. */
function faultOf(event: string): string | undefined {
  if (event === "ping") return "must not be ping: crm hooks test sends it.";
  if ((hookEventNames as readonly string[]).includes(event)) return undefined;
  const meant = nearest(event, hookEventNames);
  return `must be the name of an event, such as ${meant ?? "contact.created"}.`;
}

const hookEvent = text()
  .superRefine((event, context) => {
    const message = event === "" ? undefined : faultOf(event);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  })
  .transform((event) => event as EventName)
  .meta({ enum: hookEventNames });

const targetUrl = text()
  .meta({ format: "uri" })
  .describe("A public https URL. Its name is resolved now and again at each delivery; redirects are not followed.");

export const hookInput = creation({ event: hookEvent, target_url: targetUrl }).meta({
  examples: [{ event: "contact.created", target_url: "https://example.com/hooks/crm" }],
});

const longestGrace = 365 * 24 * 3600;

export const secretRotation = creation({
  grace_seconds: wholeNumber()
    .max(longestGrace, { error: `must be at most ${longestGrace}, which is a year.` })
    .optional()
    .describe("How long the old secret also signs."),
}).meta({ examples: [{ grace_seconds: 3600 }] });

/** The same for several events; null: every event. */
export const hookChoice = z.object({ event: z.array(hookEvent).min(1).nullable(), target_url: targetUrl });

/** PATCH /hooks/{id}: omitted fields are unchanged. Only its receiver disables a webhook. */
export const hookPatch = z
  .object({
    events: hookChoice.shape.event.describe("From now on; null for all that its scopes cover."),
    target_url: targetUrl,
    status: z.enum(["active", "paused"]).describe("The events of a paused webhook wait."),
  })
  .partial()
  .meta({ examples: [{ events: ["contact.created", "contact.updated"] }, { status: "paused" }] });

export type HookPatch = z.output<typeof hookPatch>;
