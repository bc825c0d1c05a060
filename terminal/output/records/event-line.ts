/** An event of the log as one line: position, time, name, subject, actor. */
import type { LoggedEventView } from "../../../src/crm/event-log/event.view.ts";
import { printable } from "../table.ts";

/** The width of the longest event name. */
const nameWidth = "video_testimonial.received".length;

export function eventLine({ position, created_at, event, data, actor: { name: by } }: LoggedEventView): string {
  const parts = [
    String(position).padStart(6),
    created_at.replace(/\.\d+Z$/, "Z"),
    event.padEnd(nameWidth),
    `${describeSubject(data as EventSubject)}${by === null ? "" : ` (by ${by})`}`,
  ];
  return printable(parts.join("  ")).trimEnd();
}

interface EventSubject {
  readonly contact?: { readonly id: number; readonly name: string } | null;
  readonly name?: unknown;
  readonly id?: unknown;
}

/** The contact, or else the record by its name. */
function describeSubject({ contact, name, id }: EventSubject) {
  const [label, subjectId] = contact === undefined || contact === null ? [name, id] : [contact.name, contact.id];
  return [typeof label === "string" ? label : "-", ...(typeof subjectId === "number" ? [subjectId] : [])].join(" #");
}
