/** `crm contacts import`: contacts from a CSV file. */
import { Args, Flags } from "@oclif/core";
import type { ImportReport } from "../../src/crm/contacts/contact.import.ts";
import { Invalid } from "../../src/vocabulary/errors.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { placeFlags } from "../../terminal/flags.ts";
import { printable } from "../../terminal/table.ts";

export default class ContactsImport extends CrmCommand {
  static override description = `Imports contacts from a CSV file (UTF-8, the first line names the columns).

A row changes the contact that has its e-mail or its phone, or creates one, so the same file can be imported again. A row with
neither is refused. An empty cell changes nothing. The usual headers of spreadsheets, HubSpot, Google Contacts, Outlook and
GoHighLevel are recognised; --map names others. What was not imported is reported: refused rows by line, and columns whose
values have no field. Exits 1 when rows were refused; the others are imported all the same.`;

  static override examples = [
    "<%= config.bin %> contacts import people.csv",
    "<%= config.bin %> contacts import people.csv --dry-run",
    '<%= config.bin %> contacts import export.csv --map "Record ID=external_ref" --map Topic=interest --json',
  ];

  static override args = { file: Args.string({ description: "The CSV file.", required: true }) };

  static override flags = {
    ...placeFlags,
    map: Flags.string({
      description: "The field of a column, once for each column.",
      helpValue: "COLUMN=FIELD",
      multiple: true,
      multipleNonGreedy: true,
    }),
    "dry-run": Flags.boolean({ description: "Say what would happen and write nothing.", default: false }),
  };

  async run(): Promise<ImportReport & { dry_run: boolean }> {
    const { args, flags } = await this.parse(ContactsImport);
    const dryRun = flags["dry-run"];
    const map = Object.fromEntries((flags.map ?? []).map(readMapping));
    const { importContacts } = await import("../../src/crm/contacts/contact.import.ts");
    const { readCsvFile } = await import("../../src/crm/contacts/csv-file.ts");
    const report = await this.inLocation(flags, (scope) =>
      importContacts(scope, readCsvFile(args.file), { map, dryRun, progress: showProgress }).catch(toWrongUsage),
    );
    this.log(describe(report, dryRun).map(printable).join("\n"));
    const { length: refused } = report.refused;
    if (refused > 0) {
      process.exitCode = 1;
      process.stderr.write(`Error: ${refused} ${refused === 1 ? "row was" : "rows were"} refused.\n`);
    }
    return { dry_run: dryRun, ...report };
  }
}

/** `Record ID=external_ref`; a column may hold an equals sign, a field may not. */
function readMapping(text: string): [column: string, field: string] {
  const split = text.lastIndexOf("=");
  if (split < 1) throw new WrongUsage(`--map takes COLUMN=FIELD, not "${text}".`);
  return [text.slice(0, split), text.slice(split + 1)];
}

/** A mapping that the file or the service does not know is a mistake on the command line, not in the file. */
function toWrongUsage(error: unknown): never {
  if (error instanceof Invalid && error.errors["map"] !== undefined) throw new WrongUsage(error.message);
  throw error;
}

/** One line that is written over, for somebody who watches; nothing in a pipe. */
function showProgress(rows: number, isLast: boolean): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${rows} rows${isLast ? "\n" : ""}`);
}

function describe({ created, updated, unchanged, refused, left_out }: ImportReport, dryRun: boolean): string[] {
  return [
    `${dryRun ? "Would be: " : ""}${created} created, ${updated} updated, ${unchanged} unchanged, ${refused.length} refused.`,
    ...refused.map(({ line, errors }) => `line ${line}: ${Object.values(errors).flat().join(" ")}`),
    ...left_out.map(
      ({ column, values }) => `column ${column}: ${values} ${values === 1 ? "value" : "values"} not imported`,
    ),
  ];
}
