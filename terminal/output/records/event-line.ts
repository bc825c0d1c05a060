/** An event of the log as one line: position, time, name, subject, actor. */
import { eventSubject } from "../../../src/crm/event-log/event-subject.ts";
import type { LoggedEventView } from "../../../src/crm/event-log/event.view.ts";
import { printable } from "../table.ts";

/** The width of the longest event name. */
const nameWidth = "video_testimonial.received".length;

export function eventLine({ position, created_at, event, data, actor: { name: by } }: LoggedEventView): string {
  const parts = [
    String(position).padStart(6),
    created_at.replace(/\.\d+Z$/, "Z"),
    event.padEnd(nameWidth),
    `${describeSubject(data)}${by === null ? "" : ` (by ${by})`}`,
  ];
  return printable(parts.join("  ")).trimEnd();
}

function describeSubject(data: LoggedEventView["data"]): string {
  const { label, id } = eventSubject(data);
  return [label ?? "-", ...(id === null ? [] : [id])].join(" #");
}
