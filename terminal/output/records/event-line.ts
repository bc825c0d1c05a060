/** An event of the log as one line for people: its place, when, what, about whom, by whom. */
import type { LoggedEventRow } from "../../../src/crm/event-log/event.view.ts";
import { toTimestamp } from "../../../src/kit/time/timestamp.ts";
import { printable } from "../table.ts";

/** As wide as the longest name of an event. */
const nameWidth = "video_testimonial.received".length;

export function eventLine({ position, created_at, event, data, actor_name: by }: LoggedEventRow): string {
  const parts = [
    String(position).padStart(6),
    toTimestamp(created_at).replace(/\.\d+Z$/, "Z"),
    event.padEnd(nameWidth),
    `${aboutWhom(JSON.parse(data))}${by === null ? "" : ` (by ${by})`}`,
  ];
  return printable(parts.join("  ")).trimEnd();
}

/** The contact or, where there is none, the record by its name. */
function aboutWhom({
  contact,
  name,
  id,
}: {
  contact?: { id: number; name: string } | null;
  name?: unknown;
  id?: unknown;
}) {
  const [called, number] = contact === undefined || contact === null ? [name, id] : [contact.name, contact.id];
  return [typeof called === "string" ? called : "-", ...(typeof number === "number" ? [number] : [])].join(" #");
}
