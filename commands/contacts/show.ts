/** `crm contacts show`: one contact with what hangs on it. */
import type { ContactView } from "../../src/crm/contacts/contact.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, placeFlags } from "../../terminal/input/flags.ts";
import { showCents } from "../../terminal/output/money.ts";
import { describeStanding, nameOpportunity } from "../../terminal/output/opportunity-text.ts";
import { describeConversation } from "../../terminal/output/conversation-text.ts";
import { printable } from "../../terminal/output/table.ts";
import { describeTask } from "../../terminal/output/task-text.ts";

export default class ContactsShow extends CrmCommand {
  static override description =
    "Shows a contact with its opportunities, tasks, notes and conversations, and its latest activities.";

  static override examples = [
    "<%= config.bin %> contacts show 12",
    "<%= config.bin %> contacts show 12 --location 2 --json",
  ];

  static override args = { id: idArgument("The contact.") };

  static override flags = placeFlags;

  async run(): Promise<ContactView> {
    const { args, flags } = await this.parse(ContactsShow);
    const { getContact } = await import("../../src/crm/contacts/contact.queries.ts");
    return this.inLocation(flags, async (caller) => {
      const contact = await getContact(caller, args.id);
      this.log(describe(contact, caller.location.timezone).map(printable).join("\n"));
      return contact;
    });
  }
}

/** A line for each field that says something, then what hangs on the contact, and the activities, newest first. */
function describe(contact: ContactView, timeZone: string): string[] {
  const {
    id,
    name,
    owner,
    tags,
    stage,
    value_cents,
    opportunities,
    tasks,
    notes,
    conversations,
    activities,
    ...fields
  } = contact;
  const lines = [`${name} (${id})`];
  const line = (label: string, text: string) => lines.push(`  ${label.replaceAll("_", " ")}: ${text}`);
  for (const [field, value] of Object.entries(fields)) {
    if (value === null || value === "" || value === false || typeof value === "object") continue;
    line(field, String(value));
  }
  if (owner !== null) line("owner", `${owner.name} (${owner.id})`);
  if (tags.length > 0) line("tags", tags.map((tag) => tag.name).join(", "));
  if (stage !== null) line("stage", `${stage.name}, ${showCents(value_cents)}`);
  for (const opportunity of opportunities)
    lines.push(`  ${nameOpportunity(opportunity)}: ${describeStanding(opportunity)}`);
  for (const conversation of conversations) lines.push(`  ${describeConversation(conversation, timeZone)}`);
  for (const task of tasks) lines.push(`  ${describeTask(task, timeZone)}`);
  for (const { body, created_at, truncated } of notes) {
    lines.push(`  note of ${created_at}: ${body}${truncated === true ? " … (the API lists whole notes)" : ""}`);
  }
  for (const { kind, actor, created_at } of activities) {
    lines.push(`  ${created_at} ${kind}${actor === null || actor.name === null ? "" : ` by ${actor.name}`}`);
  }
  return lines;
}
