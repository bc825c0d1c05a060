/** `crm contacts export`: every contact of a location. */
import { fstatSync } from "node:fs";
import { CrmCommand } from "../../terminal/command.ts";
import { Stopped } from "../../terminal/failures.ts";
import { locationFlags } from "../../terminal/input/flags.ts";
import { stopSignal } from "../../terminal/signals.ts";
import type { StopSignal } from "../../terminal/signals.ts";

export default class ContactsExport extends CrmCommand {
  static override description = `Prints every contact of a location as CSV, in the order of their ids, for crm contacts import --exact.

A value that a spreadsheet would execute as a formula gets an apostrophe in front, which the import removes. docs/contacts-import.md has the details.`;
  static override jsonResult = "a list of contacts as events carry them, one per line, with unchanged values";

  static override examples = [
    "<%= config.bin %> contacts export > contacts.csv",
    "<%= config.bin %> contacts export --location 2 --json",
  ];

  static override flags = locationFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(ContactsExport);
    const { exportContacts, countContacts } = await import("../../src/crm/contacts/transfer.operations.ts");
    const { pagesOfExport, toCsv, contactsAsJson } = await import("../../src/crm/contacts/transfer/contact.export.ts");
    const { printStream } = await import("../../terminal/output/print-stream.ts");
    const { isAnimated, startProgress } = await import("../../terminal/output/progress.ts");
    await this.inLocation(flags, async (caller, { carryOut }) => {
      const isWatched = isAnimated() && fstatSync(process.stdout.fd).isFile();
      const signal = isWatched ? stopSignal() : undefined;
      const total = isWatched ? (await carryOut(countContacts, caller, {})).contacts : null;
      const progress = isWatched ? startProgress({ total }) : undefined;
      this.hasAnswered = true;
      try {
        const pages = pagesOfExport((after) => carryOut(exportContacts, caller, { query: { after } }));
        const contacts = counted(pages, (rows) => progress?.update(rows, rows));
        await printStream(this.jsonEnabled() ? contactsAsJson(contacts) : toCsv(contacts), { signal });
        progress?.finish();
      } catch (error) {
        if (!signal?.aborted) throw error;
        throw new Stopped(signal.reason as StopSignal, "The export is not complete.");
      } finally {
        progress?.clear();
      }
    });
  }
}

async function* counted<Item>(items: AsyncIterable<Item>, tell: (count: number) => void): AsyncGenerator<Item> {
  let count = 0;
  for await (const item of items) {
    yield item;
    tell(++count);
  }
}
