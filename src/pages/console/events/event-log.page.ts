/** The event log of a workspace, latest first, and one event with its payload. */
import type { LoggedEventView } from "../../../crm/event-log/event.view.ts";
import { eventNames } from "../../../vocabulary/events.ts";
import { attributes, html } from "../../html.ts";
import type { Html } from "../../html.ts";
import type { WorkView } from "../../as-person.ts";
import { work } from "../../layout/work.ts";
import { codeBox } from "../../parts/code-box.ts";
import { faultNotice } from "../../parts/forms/faults.ts";
import type { FieldFaults } from "../../parts/forms/faults.ts";
import { empty } from "../../parts/lists/empty.ts";
import { pager, table } from "../../parts/lists/table.ts";
import { isolatedName } from "../../parts/name.ts";
import { pairs } from "../../parts/pairs.ts";
import { dayAndTime } from "../../parts/times.ts";

interface EventLog {
  /** In log order. */
  readonly events: readonly LoggedEventView[];
  /** The chosen event name; null for all. */
  readonly chosen: string | null;
  /** The position after which the page begins, as sent; null for the latest events. */
  readonly after: string | null;
  /** Where the next page begins; null at the end of the log. */
  readonly next: number | null;
  readonly faults?: FieldFaults;
}

export function eventLogPage(here: WorkView, { events, chosen, after, next, faults = {} }: EventLog): Html {
  const { site, zone } = here;
  const list = here.to("/events");
  const address = (position: number | string | null): `/${string}` => {
    const query = new URLSearchParams({
      ...(chosen !== null && { event: chosen }),
      ...(position !== null && { after: String(position) }),
    });
    return query.size === 0 ? list : `${list}?${query.toString()}`;
  };
  return work(here, {
    title: "Event log",
    at: "/events",
    isWide: true,
    head: { title: "Event log" },
    content: html`
      <form class="filters" method="get" action="${list}">
        <label class="hidden-text" for="event">Event</label>
        <select id="event" name="event">
          <option value="">All events</option>
          ${eventNames.map(
            (name) => html`<option value="${name}" ${name === chosen && attributes`selected`}>${name}</option>`,
          )}
        </select>
        <button class="button small">Filter</button>
      </form>
      ${Object.keys(faults).length > 0 && html`<div class="above-list">${faultNotice(site, faults)}</div>`}
      ${
        events.length === 0
          ? empty(site, {
              icon: "scroll-text",
              title: after === null ? "No events yet" : "No later events",
              text: "Each change of a record is an event. It is listed here once it has its position in the log, and removed after the retention period.",
              action: after !== null && html`<a class="button" href="${address(null)}">To the latest events</a>`,
            })
          : table({
              caption: after === null ? "The latest events, newest first" : "Events after a position, oldest first",
              rows: after === null ? events.toReversed() : events,
              columns: [
                {
                  title: "Event",
                  cell: ({ event, position }) =>
                    html`<a href="${here.to(`/events/${position}`)}"><code>${event}</code></a>`,
                },
                { title: "Position", isNumber: true, cell: ({ position }) => `#${position}` },
                { title: "When", folded: "wide", cell: ({ created_at }) => dayAndTime(zone, created_at) },
                { title: "By", folded: "wide", isNamed: true, cell: actorOf },
              ],
            })
      }
      ${pager(site, {
        shown: null,
        first: after === null ? (events.length === 0 ? null : address(0)) : address(null),
        next: next === null ? null : address(next),
        firstText: after === null ? "Oldest events" : "Latest events",
      })}
    `,
  });
}

/** Longer payloads are cut: the API and the deliveries have them whole. */
const mostShown = 12_000;

export function loggedEventPage(here: WorkView, event: LoggedEventView): Html {
  const text = JSON.stringify(event.data, undefined, 2);
  const isCut = text.length > mostShown;
  return work(here, {
    title: event.event,
    at: "/events",
    head: { title: "Event log", back: here.to("/events") },
    content: html`
      <div class="page-head"><h1>${event.event}</h1></div>
      ${pairs([
        ["Id", event.id],
        ["Position", event.position],
        ["When", dayAndTime(here.zone, event.created_at)],
        ["By", actorOf(event)],
        ["Contact", event.contact_id],
      ])}
      ${codeBox(here.site, {
        title: isCut ? `Payload, the first ${mostShown.toLocaleString("en")} characters` : "Payload",
        code: isCut ? text.slice(0, mostShown) : text,
      })}
    `,
  });
}

const kinds = { user: "a person", api_key: "an API key", app: "an app", workflow: "a workflow" } as const;

function actorOf({ actor }: LoggedEventView): Html | string {
  if (actor.name !== null) return isolatedName(actor.name);
  return actor.type in kinds ? kinds[actor.type as keyof typeof kinds] : "crm";
}
