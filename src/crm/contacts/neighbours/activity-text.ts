/** Describes an activity of a contact in a line of text. */
import type { ContactView } from "../contact.view.ts";

/** `opportunity.stage_changed, stage_id: 1 → 2 (Website forms)`. */
export function describeActivity({ kind, data, actor }: ContactView["activities"][number]): string {
  const about = data.map(({ field, old, new: now }) => {
    if (old === null || old === undefined) return `${field}: ${showValue(now)}`;
    return `${field}: ${showValue(old)} → ${showValue(now)}`;
  });
  return `${[kind, ...about].join(", ")}${actor === null || actor.name === null ? "" : ` (${actor.name})`}`;
}

function showValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "-";
  if (typeof value !== "object") return String(value);
  return "name" in value && typeof value.name === "string" ? value.name : JSON.stringify(value);
}
