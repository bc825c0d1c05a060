/** Samples of events as a webhook receives them. Tests validate each against the schema of the real event. */
import type { DocumentedEvent } from "../../http/documents/webhooks.ts";
import type { Reader } from "../../events/caller.ts";
import { showsEvent } from "../../operation/permission.ts";
import { customFieldSubjects } from "../../vocabulary/custom-fields.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import type { EventName } from "../../vocabulary/events.ts";
import type { CustomField, CustomValue } from "../custom-fields/custom-value.ts";
import { definedFields } from "../custom-fields/custom-values.queries.ts";
import { eventShapes } from "./event-shapes.ts";
import type { SampleView } from "./event.view.ts";

/** The sample of an event. Refuses, on `event`, one that this version does not raise. */
export function getSample(event: EventName): SampleView {
  const sample = eventSamples().find((known) => known.event === event);
  if (sample !== undefined) return sample;
  throw new Invalid({ event: [`The event field names ${event}, which this version does not raise yet.`] });
}

/** The same with the custom fields of the workspace, where the event has a contact or an opportunity that the reader may see. */
export async function getSampleOf(reader: Reader, event: EventName): Promise<SampleView> {
  const sample = getSample(event);
  const subject = customFieldSubjects.find((one) => event.startsWith(`${one}.`));
  if (subject === undefined || !showsEvent(reader.grant, event)) return sample;
  const fields = await definedFields(reader, subject);
  if (fields.length === 0) return sample;
  const custom_fields = Object.fromEntries(fields.map((field) => [field.key, exampleOf(field)]));
  return { ...sample, data: { ...sample.data, custom_fields } };
}

/** Of the types whose values are not chosen from options. */
const examples = {
  text: "Window seat",
  long_text: "Prefers a call in the morning.",
  number: 7.5,
  money: 2900,
  date: "2026-03-01",
  boolean: true,
  url: "https://example.com",
};

function exampleOf({ type, options }: CustomField): CustomValue {
  if (type === "select") return options[0]!;
  return type === "multiselect" ? options.slice(0, 2) : examples[type];
}

/** Every event for the OpenAPI document. */
export function documentedEvents(): DocumentedEvent[] {
  const samples = eventSamples();
  return eventShapes.map(({ event, schema }, place) => ({ event, schema, sample: samples[place]! }));
}

/** A sample of every event that is raised or can be reported. */
export function eventSamples(): SampleView[] {
  return eventShapes.map(({ event, specimen }) => ({
    id: 1,
    event,
    created_at: "2026-03-01T12:00:00.000Z",
    data: { ...specimen },
  }));
}
