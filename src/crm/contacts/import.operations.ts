/** The operation that imports contacts, in many changes over streamed rows. Its input is a stream, not JSON, so it is only called from code. */
import { z } from "zod";
import { operation } from "../../operation/operation.ts";
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
    // Loaded with the first import: a server starts without it.
    const { importContacts: importRows } = await import("./transfer/contact.import.ts");
    return importRows(caller, input.records, input.options);
  },
});
