/** `crm contacts export`: every contact of a location as CSV. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CrmCommand } from "../../terminal/command.ts";
import { placeFlags } from "../../terminal/flags.ts";

export default class ContactsExport extends CrmCommand {
  static override description = `Prints every contact of a location as CSV, which crm contacts import reads back.`;

  static override examples = ["<%= config.bin %> contacts export > contacts.csv"];

  // The result is CSV, however it is asked for.
  static override enableJsonFlag = false;

  static override flags = placeFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(ContactsExport);
    const { exportContacts } = await import("../../src/crm/contacts/contact.export.ts");
    await this.inLocation(flags, async (scope) => {
      await pipeline(Readable.from(exportContacts(scope)), process.stdout, { end: false }).catch(unlessClosed);
    });
  }
}

/** Whoever reads, such as `head`, may have seen enough. */
function unlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
