/** `crm contacts show`: one contact with what hangs on it. */
import type { ContactView } from "../../src/crm/contacts/contact.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, placeFlags } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class ContactsShow extends CrmCommand {
  static override description = "Shows a contact with its notes and its latest activities.";

  static override examples = [
    "<%= config.bin %> contacts show 12",
    "<%= config.bin %> contacts show 12 --location 2 --json",
  ];

  static override args = { id: idArgument("The contact.") };

  static override flags = placeFlags;

  async run(): Promise<ContactView> {
    const { args, flags } = await this.parse(ContactsShow);
    const { getContact } = await import("../../src/crm/contacts/contact.queries.ts");
    const contact = await this.inLocation(flags, (caller) => getContact(caller, args.id));
    this.log(describe(contact).map(printable).join("\n"));
    return contact;
  }
}

/** A line for each field that says something, then the notes and the activities, newest first. */
function describe({ id, name, owner, tags, notes, activities, ...fields }: ContactView): string[] {
  const lines = [`${name} (${id})`];
  const line = (label: string, text: string) => lines.push(`  ${label.replaceAll("_", " ")}: ${text}`);
  for (const [field, value] of Object.entries(fields)) {
    if (value === null || value === "" || value === false || value === 0 || typeof value === "object") continue;
    line(field, String(value));
  }
  if (owner !== null) line("owner", `${owner.name} (${owner.id})`);
  if (tags.length > 0) line("tags", tags.map((tag) => tag.name).join(", "));
  for (const { body, created_at, truncated } of notes) {
    lines.push(`  note of ${created_at}: ${body}${truncated === true ? " … (the API lists whole notes)" : ""}`);
  }
  for (const { kind, actor, created_at } of activities) {
    lines.push(`  ${created_at} ${kind}${actor === null || actor.name === null ? "" : ` by ${actor.name}`}`);
  }
  return lines;
}
