/** Examples of events, as a webhook would receive them: each is held against the shape of what is really raised. */
import { Invalid } from "../../vocabulary/errors.ts";
import type { EventName } from "../../vocabulary/events.ts";
import { eventShapes } from "./event-shapes.ts";
import type { SampleView } from "./event.view.ts";

/** The example of an event. Refuses, on `event`, one that this version does not raise. */
export function getSample(event: EventName): SampleView {
  const sample = eventSamples().find((known) => known.event === event);
  if (sample !== undefined) return sample;
  throw new Invalid({ event: [`The event field names ${event}, which this version does not raise yet.`] });
}

/** One of each event that is raised, or taken in. */
export function eventSamples(): SampleView[] {
  return eventShapes.map(({ event, specimen }) => ({
    id: 1,
    event,
    created_at: "2026-03-01T12:00:00.000Z",
    data: { ...specimen },
  }));
}
