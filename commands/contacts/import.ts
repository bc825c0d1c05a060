/** `crm contacts import`: contacts from a CSV file. */
import { statSync } from "node:fs";
import { Args, Flags } from "@oclif/core";
import type { ImportProgress } from "../../src/crm/contacts/transfer/contact.import.ts";
import type { ImportReport } from "../../src/crm/contacts/transfer/import.report.ts";
import { Invalid } from "../../src/vocabulary/errors.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { BrokeOff, Stopped, WrongUsage } from "../../terminal/failures.ts";
import { locationFlags } from "../../terminal/input/flags.ts";
import { stopSignal } from "../../terminal/signals.ts";
import type { StopSignal } from "../../terminal/signals.ts";

export default class ContactsImport extends CrmCommand {
  static override description = `Imports contacts from a CSV file (the first line names the columns).

A row updates the contact with its e-mail address or phone number, or creates one, so the same file can be imported again. A row with neither is refused. If the e-mail
address of a row differs from that of the contact with the same phone number, the row is another person. An empty cell changes nothing; tags are added. Usual
headers are recognized, --map names others. Exits 1 if rows were refused; the others are imported. Ctrl-C ends the import after the current rows. docs/contacts-import.md
has the details.

--exact restores what crm contacts export wrote into a location without contacts: each row becomes a contact of its own and keeps its times; ids are new. Taken
external references, and owners without access to the location, are refused: omit them with --map external_ref= --map owner_user_id=. To finish an interrupted
restore, run it again.`;
  static override jsonResult =
    "{dry_run, created, updated, unchanged, refused_count, refused: [{line, errors}], merged_by_phone_count, merged_by_phone: [{line, contact: {id, name}}], created_tags_count, created_tags: [name], created_fields: [{key, name, type}], left_out: [{column, values}], workflows: [{id, name, event, starts, filtered, contacts}], stopped_after_line}";

  static override examples = [
    "<%= config.bin %> contacts import people.csv",
    "<%= config.bin %> contacts import people.csv --dry-run",
    "<%= config.bin %> contacts import people.csv --refused refused.csv",
    "<%= config.bin %> contacts import contacts.csv --exact --location 2",
    '<%= config.bin %> contacts import export.csv --map "Record ID=external_ref" --map Topic=interest --json',
  ];

  static override args = { file: Args.string({ description: "The CSV file.", required: true }) };

  static override flags = {
    ...locationFlags,
    map: Flags.string({
      description: "COLUMN=FIELD, repeatable; FIELD may be tags, or empty to omit the column.",
      helpValue: "COLUMN=FIELD",
      multiple: true,
      multipleNonGreedy: true,
    }),
    encoding: Flags.string({
      description: "Encoding of the file, such as windows-1252; UTF-8 by default.",
      helpValue: "NAME",
    }),
    refused: Flags.string({
      description: "File for refused rows; an existing one is overwritten.",
      helpValue: "FILE",
    }),
    "create-tags": Flags.boolean({
      description: "Create missing tags; with --no-create-tags rows that name one are refused.",
      allowNo: true,
      default: true,
    }),
    "create-fields": Flags.boolean({
      description: "Create custom fields for columns without a field, with types that their first 1,000 values fit.",
      default: false,
    }),
    exact: Flags.boolean({
      description: "Restore an export into a location without contacts.",
      default: false,
    }),
    "dry-run": Flags.boolean({
      description: "Report what would happen, and write nothing to the database.",
      default: false,
    }),
  };

  async run(): Promise<ImportReport & { dry_run: boolean }> {
    const { args, flags } = await this.parse(ContactsImport);
    const dryRun = flags["dry-run"];
    const map = Object.fromEntries((flags.map ?? []).map(readMapping));
    const { importContacts } = await import("../../src/crm/contacts/transfer.operations.ts");
    const { ImportInterrupted } = await import("../../src/crm/contacts/transfer/contact.import.ts");
    const { readCsvFile } = await import("../../src/crm/contacts/transfer/csv-file.ts");
    const { isEncoding, usualEncoding } = await import("../../src/crm/contacts/transfer/csv-text.ts");
    const { createRefusedFile } = await import("../../src/crm/contacts/transfer/refused-file.ts");
    const { startProgress } = await import("../../terminal/output/progress.ts");
    const { encoding = usualEncoding, refused } = flags;
    if (!isEncoding(encoding)) throw new WrongUsage(`--encoding is "${encoding}"; expected a name such as utf-8.`);
    if (refused !== undefined && isSameFile(refused, args.file)) {
      throw new WrongUsage("--refused must not name the file that is imported.");
    }

    const signal = stopSignal();
    const report = await this.inLocation(flags, async (caller, { carryOut }) => {
      const progress = startProgress({ total: sizeOf(args.file) });
      const refusedRows = refused === undefined ? undefined : createRefusedFile(refused);
      try {
        const options = {
          map,
          createTags: flags["create-tags"],
          createFields: flags["create-fields"],
          exact: flags.exact,
          dryRun,
          signal,
          progress: ({ rows, bytes }: ImportProgress) => progress.update(rows, bytes),
          ...(refusedRows === undefined ? {} : { refusedRows }),
        };
        const records = readCsvFile(args.file, { encoding, signal });
        const done = await carryOut(importContacts, caller, { input: { records, options } });
        await refusedRows?.close();
        if (done.stopped_after_line === null) progress.finish();
        return done;
      } catch (error) {
        if (!(error instanceof ImportInterrupted)) throw toWrongUsage(error);
        progress.clear();
        await this.tell(error.report, dryRun);
        throw new BrokeOff({ dry_run: dryRun, ...error.report }, error.cause);
      } finally {
        progress.clear();
        // Closing twice is harmless; its failure must not hide the error before it.
        await refusedRows?.close().catch(() => {});
      }
    });
    await this.tell(report, dryRun);
    const answer = { dry_run: dryRun, ...report };
    if (report.stopped_after_line !== null) {
      throw new BrokeOff(
        answer,
        new Stopped(signal.reason as StopSignal, "Run it again to import the remaining rows."),
      );
    }
    if (report.refused_count > 0) {
      process.exitCode = 1;
      process.stderr.write(`Error: ${sentenceOf(report.refused_count, refused)}\n`);
    }
    return answer;
  }

  private async tell(report: ImportReport, dryRun: boolean): Promise<void> {
    const { describeImport } = await import("../../terminal/output/import-report.ts");
    this.log(describeImport(report, { dryRun }).join("\n"));
  }
}

/** `Record ID=external_ref`; a column may hold an equals sign, a field may not. */
function readMapping(text: string): [column: string, field: string] {
  const split = text.lastIndexOf("=");
  if (split < 1) throw new WrongUsage(`--map takes COLUMN=FIELD, not "${text}".`);
  return [text.slice(0, split), text.slice(split + 1)];
}

/** A column or field that does not exist is wrong usage, not a fault of the file. */
function toWrongUsage(error: unknown): unknown {
  return error instanceof Invalid && error.errors["map"] !== undefined ? new WrongUsage(error.message) : error;
}

function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}

/** Size in bytes; null for a pipe or a missing file. */
function sizeOf(path: string): number | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : null;
}

function sentenceOf(count: number, file: string | undefined): string {
  return `${count} ${count === 1 ? "row was" : "rows were"} refused${file === undefined ? "" : ` and written to ${file}`}.`;
}
