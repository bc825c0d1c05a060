/**
 * The operations that import and export contacts. An import is many changes over streamed rows: its input is a stream, not JSON, so it is
 * only called from code. An export is read in pages. Both are loaded on first use, to keep the start of a server fast.
 */
import { z } from "zod";
import { filterId } from "../../kit/input/fields.ts";
import { operation } from "../../operation/operation.ts";
import { countContacts as countRows } from "./contact-counts.ts";
import { contactRecordView } from "./contact.view.ts";
import type { ImportOptions } from "./transfer/contact.import.ts";
import type { CsvRecord } from "./transfer/csv-file.ts";
import type { ImportReport } from "./transfer/import.report.ts";

const records = z.custom<AsyncIterable<CsvRecord>>(
  (value) => typeof value === "object" && value !== null && Symbol.asyncIterator in value,
  "must be the rows of a file.",
);

const importInput = z.object({
  records,
  options: z.custom<ImportOptions>((value) => typeof value === "object" && value !== null, "must be given."),
});

export const importContacts = operation({
  name: "importContacts",
  summary: "Imports contacts from the rows of a table, in batches, each with its own commit.",
  noun: "Contacts",
  may: { scope: "contacts.write", role: "manager" },
  input: importInput,
  gives: z.custom<ImportReport>(),
  // An import has no single subject.
  audit: () => null,
  steps: async (caller, { input }) => {
    const { importContacts: importRows } = await import("./transfer/contact.import.ts");
    return importRows(caller, input.records, input.options);
  },
});

const exportPageView = z.object({ data: z.array(contactRecordView), next_after: z.int().nullable() });

export const exportContacts = operation({
  name: "exportContacts",
  summary: "Exports the contacts of the location by id, one page per call.",
  noun: "Contacts",
  may: { scope: "contacts.readonly", role: "manager" },
  query: z.object({ after: filterId() }),
  gives: exportPageView,
  read: async (reader, { query: { after = 0 } }) => {
    const { readExportPage } = await import("./transfer/contact.export.ts");
    return readExportPage(reader, after);
  },
});

export const countContacts = operation({
  name: "countContacts",
  summary: "Counts the contacts of the location.",
  noun: "Contacts",
  may: { scope: "contacts.readonly", role: "member" },
  gives: z.object({ contacts: z.int() }),
  read: async (reader) => ({ contacts: await countRows(reader) }),
});
