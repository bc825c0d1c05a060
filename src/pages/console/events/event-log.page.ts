/** The event log of a workspace, latest first, and one event with its payload. */
import { eventSubject } from "../../../crm/event-log/event-subject.ts";
import type { LoggedEventView } from "../../../crm/event-log/event.view.ts";
import { eventNames } from "../../../vocabulary/events.ts";
import { attributes, html } from "../../html.ts";
import type { Html, HtmlValue } from "../../html.ts";
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
  /** The position before which the page ends, as sent; null for the latest events. */
  readonly before: string | null;
  /** Where the next page begins: after a position, or, latest first, before one; null at the end of the log. */
  readonly next: number | null;
  readonly faults?: FieldFaults;
}

export function eventLogPage(here: WorkView, { events, chosen, after, before, next, faults = {} }: EventLog): Html {
  const { site, zone } = here;
  const list = here.to("/events");
  const isLatest = after === null && before === null;
  const address = (part: { after?: number; before?: number } = {}): `/${string}` => {
    const query = new URLSearchParams(chosen === null ? {} : { event: chosen });
    for (const [name, position] of Object.entries(part)) query.set(name, String(position));
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
              title: isLatest ? "No events yet" : after === null ? "No earlier events" : "No later events",
              text: "Each change of a record is an event. It is listed here once it has its position in the log, and removed after the retention period.",
              action: !isLatest && html`<a class="button" href="${address()}">To the latest events</a>`,
            })
          : table({
              caption: after === null ? "Events, newest first" : "Events after a position, oldest first",
              rows: after === null ? events.toReversed() : events,
              columns: [
                {
                  title: "Event",
                  cell: ({ event, position }) =>
                    html`<a href="${here.to(`/events/${position}`)}"><code>${event}</code></a>`,
                },
                { title: "Position", isNumber: true, cell: ({ position }) => `#${position}` },
                { title: "Record", folded: "wide", isNamed: true, cell: recordOf },
                { title: "When", folded: "wide", cell: ({ created_at }) => dayAndTime(zone, created_at) },
                { title: "By", folded: "wide", isNamed: true, cell: actorOf },
              ],
            })
      }
      ${pager(site, {
        shown: null,
        first: isLatest ? (events.length === 0 ? null : address({ after: 0 })) : address(),
        firstText: isLatest ? "Oldest events" : "Latest events",
        next: next === null ? null : address(after === null ? { before: next } : { after: next }),
        nextText: after === null ? "Earlier events" : "Next page",
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

function recordOf({ data }: LoggedEventView): HtmlValue {
  const { label, id } = eventSubject(data);
  if (id === null) return label === null ? "-" : isolatedName(label);
  return html`${label !== null && isolatedName(label)} #${id}`;
}

const kinds = { user: "a person", api_key: "an API key", app: "an app", workflow: "a workflow" } as const;

function actorOf({ actor }: LoggedEventView): Html | string {
  if (actor.name !== null) return isolatedName(actor.name);
  return actor.type in kinds ? kinds[actor.type as keyof typeof kinds] : "crm";
}
