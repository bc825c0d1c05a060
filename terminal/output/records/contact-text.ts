/** A contact as text: fields, related records, and activity, newest first. */
import { describeActivity } from "../../../src/crm/contacts/neighbours/activity-text.ts";
import type { ContactView } from "../../../src/crm/contacts/contact.view.ts";
import { wrap } from "../columns.ts";
import { describeCustomFields } from "./custom-fields-text.ts";
import { describeConversation } from "../conversation-text.ts";
import { showMoment } from "../moments.ts";
import { showCents } from "../money.ts";
import { describeStanding, nameOpportunity } from "../opportunity-text.ts";
import { printable } from "../table.ts";
import { describeTask } from "../task-text.ts";

interface Shown {
  /** The time zone of the times shown. */
  readonly timeZone: string;
  /** Width of the terminal; null in a pipe, where no line is wrapped. */
  readonly width: number | null;
}

/** Its lines; empty sections have no heading. */
export function describeContact(contact: ContactView, { timeZone, width }: Shown): string[] {
  const { opportunities, tasks, notes, conversations, activities } = contact;
  const at = (timestamp: string | null) => showMoment(timestamp, timeZone) ?? "";
  const sections: readonly (readonly [heading: string, lines: readonly string[]])[] = [
    [`${contact.name} (${contact.id})`, fieldsOf(contact, at)],
    ["Opportunities", opportunities.map((one) => `${nameOpportunity(one)}: ${describeStanding(one)}`)],
    ["Tasks", tasks.map((task) => describeTask(task, timeZone))],
    ["Conversations", conversations.map((conversation) => describeConversation(conversation, timeZone))],
    [
      "Notes",
      notes.map(({ created_at, body, truncated, user }) => {
        const by = user === null ? "" : ` (${user.name})`;
        return `${at(created_at)}  ${body}${truncated === true ? " … (the API lists whole notes)" : ""}${by}`;
      }),
    ],
    ["Timeline", activities.map((activity) => `${at(activity.created_at)}  ${describeActivity(activity)}`)],
  ];
  return sections
    .filter(([, lines], place) => place === 0 || lines.length > 0)
    .flatMap(([heading, lines]) => [printable(heading), ...lines.map((line) => indented(printable(line), width))]);
}

/** Indented by two columns, continuation lines by two more. */
function indented(line: string, width: number | null): string {
  const text = width === null ? line : wrap(line, Math.max(20, width - 4)).replaceAll("\n", "\n    ");
  return `  ${text}`;
}

/** One line per field with a value. */
function fieldsOf(contact: ContactView, at: (timestamp: string | null) => string): string[] {
  const { id: _id, name: _name, owner, tags, stage, value_cents: value, next_task: _task, ...fields } = contact;
  const lines = Object.entries(fields).flatMap(([field, value]) => {
    if (value === null || value === "" || value === false || typeof value === "object") return [];
    return `${field.replaceAll("_", " ")}: ${field.endsWith("_at") ? at(String(value)) : value}`;
  });
  for (const [key, value] of Object.entries(describeCustomFields(contact.custom_fields)))
    if (value !== null) lines.push(`${key}: ${value}`);
  if (owner !== null) lines.push(`owner: ${owner.name} (${owner.id})`);
  if (tags.length > 0) lines.push(`tags: ${tags.map((tag) => tag.name).join(", ")}`);
  if (stage !== null) lines.push(`stage: ${stage.name}, ${showCents(value)}`);
  return lines;
}
