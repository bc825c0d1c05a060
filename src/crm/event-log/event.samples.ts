/** Samples of events as a webhook receives them. Tests validate each against the schema of the real event. */
import type { DocumentedEvent } from "../../http/documents/webhooks.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import type { EventName } from "../../vocabulary/events.ts";
import { eventShapes } from "./event-shapes.ts";
import type { SampleView } from "./event.view.ts";

/** The sample of an event. Refuses, on `event`, one that this version does not raise. */
export function getSample(event: EventName): SampleView {
  const sample = eventSamples().find((known) => known.event === event);
  if (sample !== undefined) return sample;
  throw new Invalid({ event: [`The event field names ${event}, which this version does not raise yet.`] });
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
