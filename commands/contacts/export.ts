/** `crm contacts export`: every contact of a location. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ContactRecordView } from "../../src/crm/contacts/contact.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { placeFlags } from "../../terminal/flags.ts";

export default class ContactsExport extends CrmCommand {
  static override description = `Prints every contact of a location as CSV, which crm contacts import reads back.`;

  static override examples = [
    "<%= config.bin %> contacts export > contacts.csv",
    "<%= config.bin %> contacts export --location 2 --json",
  ];

  static override flags = placeFlags;

  async run(): Promise<ContactRecordView[]> {
    const { flags } = await this.parse(ContactsExport);
    const { exportContacts, toCsv } = await import("../../src/crm/contacts/contact.export.ts");
    return this.inLocation(flags, async (scope) => {
      const contacts: ContactRecordView[] = [];
      if (this.jsonEnabled()) for await (const contact of exportContacts(scope)) contacts.push(contact);
      // Written as it is read, however many there are.
      else
        await pipeline(Readable.from(toCsv(exportContacts(scope))), process.stdout, { end: false }).catch(unlessClosed);
      return contacts;
    });
  }
}

/** Whoever reads, such as `head`, may have seen enough. */
function unlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
