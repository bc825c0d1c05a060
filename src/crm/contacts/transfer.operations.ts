/**
 * The operations that import and export contacts. An import is many changes over streamed rows: its input is a stream, not JSON, so it is
 * only called from code. An export is read in pages. Both are loaded on first use, to keep the start of a server fast.
 */
import { z } from "zod";
import type { Reader } from "../../events/caller.ts";
import { filterFlag, filterId, nullableText } from "../../kit/input/fields.ts";
import { operation } from "../../operation/operation.ts";
import { requireScope } from "../../operation/permission.ts";
import { customFieldTypes } from "../../vocabulary/custom-fields.ts";
import { limits } from "../../vocabulary/limits.ts";
import { countContacts as countRows } from "./contact-counts.ts";
import { contactRecordView } from "./contact.view.ts";
import type { ImportOptions } from "./transfer/contact.import.ts";
import { isEncoding } from "./transfer/csv-text.ts";
import type { CsvRecord } from "./transfer/csv-file.ts";
import type { ImportReport } from "./transfer/import.report.ts";

const records = z.custom<AsyncIterable<CsvRecord>>(
  (value) => typeof value === "object" && value !== null && Symbol.asyncIterator in value,
  "must be the rows of a file.",
);

const mapError = "must be a JSON object of fields by column.";

const mapping = z
  .string()
  .transform((text, context): Readonly<Record<string, string>> => {
    try {
      return z.record(z.string(), z.string()).parse(JSON.parse(text));
    } catch {
      context.issues.push({ code: "custom", input: text, message: mapError });
      return z.NEVER;
    }
  })
  .optional();

const importInput = z.object({
  records,
  options: z.custom<ImportOptions>((value) => typeof value === "object" && value !== null, "must be given."),
});

/** Creating fields needs the scope of it. */
function requireFieldScope(reader: Reader, isAsked: boolean | undefined): void {
  if (isAsked === true) requireScope(reader, "custom_fields.write");
}

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
    requireFieldScope(caller, input.options.createFields);
    const { importContacts: importRows } = await import("./transfer/contact.import.ts");
    return importRows(caller, input.records, input.options);
  },
});

/** POST /contacts/import: the file is the body. */
const importFileInput = z.object({
  name: nullableText(limits.attachmentName).describe("Not used."),
  content_type: nullableText(),
  file: z.custom<AsyncIterable<Uint8Array>>(),
  map: mapping.describe(
    'Columns whose header is not recognized, as JSON: `{"Record ID": "external_ref", "Plan": "custom.plan", "Notes": ""}`; "" omits a column.',
  ),
  encoding: z
    .string()
    .refine(isEncoding, { error: "must be an encoding such as utf-8 or windows-1252." })
    .optional()
    .describe("Default: utf-8."),
  create_fields: filterFlag().describe(
    "Creates custom fields for columns without a field, with types that their first 1,000 values fit. Needs custom_fields.write.",
  ),
  create_tags: filterFlag().describe(
    "Creates missing tags; otherwise rows that name one are refused. Needs tags.write.",
  ),
  dry_run: filterFlag().describe("Reports what would happen, and writes nothing."),
});

const shown = "The first hundred.";

const importReportView = z
  .object({
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    refused_count: z.int(),
    refused: z.array(z.object({ line: z.int(), errors: z.record(z.string(), z.array(z.string())) })).describe(shown),
    merged_by_phone_count: z.int().describe("Rows that updated a contact found by phone alone."),
    merged_by_phone: z
      .array(z.object({ line: z.int(), contact: z.object({ id: z.int().nullable(), name: z.string() }) }))
      .describe(shown),
    created_tags_count: z.int(),
    created_tags: z.array(z.string()).describe(shown),
    created_fields: z.array(z.object({ key: z.string(), name: z.string(), type: z.enum(customFieldTypes) })),
    left_out: z.array(z.object({ column: z.string(), values: z.int() })).describe("Columns with unused values."),
    workflows: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        event: z.string(),
        starts: z.boolean(),
        filtered: z.boolean(),
        contacts: z.int(),
      }),
    ),
    stopped_after_line: z.int().nullable(),
  })
  .meta({
    id: "ImportReport",
    description: "What an import did, by line of the file.",
    examples: [
      {
        created: 2,
        updated: 1,
        unchanged: 0,
        refused_count: 1,
        refused: [{ line: 4, errors: { email: ["The email field must be a valid email address."] } }],
        merged_by_phone_count: 0,
        merged_by_phone: [],
        created_tags_count: 0,
        created_tags: [],
        created_fields: [{ key: "plan", name: "Plan", type: "text" }],
        left_out: [],
        workflows: [],
        stopped_after_line: null,
      },
    ],
  });

export const uploadContacts = operation({
  name: "uploadContacts",
  summary:
    "Imports contacts from a CSV file, which may create custom fields for its columns. It is safe to send again.",
  noun: "Contacts",
  may: { scope: "contacts.write", role: "manager" },
  input: importFileInput,
  gives: importReportView,
  // An import has no single subject.
  audit: () => null,
  async steps(caller, { input }, { complete }) {
    requireFieldScope(caller, input.create_fields);
    if (input.create_tags === true) requireScope(caller, "tags.write");
    const { importContacts: importRows, ImportInterrupted } = await import("./transfer/contact.import.ts");
    const { readCsvStream } = await import("./transfer/csv-file.ts");
    try {
      const report = await importRows(caller, readCsvStream(input.file, input), {
        map: input.map ?? {},
        createFields: input.create_fields ?? false,
        createTags: input.create_tags ?? false,
        dryRun: input.dry_run ?? false,
      });
      return await complete(async () => report);
    } catch (error) {
      // The batches before are committed: sending the file again continues.
      throw error instanceof ImportInterrupted ? error.cause : error;
    }
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
  audit: (_page, { query: { after = 0 } }) => (after === 0 ? null : undefined),
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
