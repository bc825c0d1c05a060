/** Imports contacts from the rows of a table: upserts in batches, so that the same file again makes nothing twice. */
import type { Change, Place, Scope } from "../../events/scope.ts";
import { sentencesOf } from "../../kit/fields.ts";
import type { FieldErrors } from "../../vocabulary/errors.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import { ContactIndex } from "./contact.index.ts";
import type { Outcome } from "./contact.plan.ts";
import { upsertContactInput } from "./contact.schema.ts";
import type { ContactInput } from "./contact.schema.ts";
import { planBatch, writeContacts } from "./contact.write.ts";
import { mapColumns, readRow } from "./csv-columns.ts";
import type { ColumnMapping } from "./csv-columns.ts";
import type { CsvRecord } from "./csv-file.ts";

export interface ImportReport {
  created: number;
  updated: number;
  /** Rows that say what is known already. */
  unchanged: number;
  /** Rows that were not imported: the line each begins on, and why. */
  refused: { line: number; errors: FieldErrors }[];
  /** Columns with values that went nowhere, and how many: no field, or a better column of the same field was filled. */
  left_out: { column: string; values: number }[];
}

export interface ImportOptions {
  /** Column → field, for headers that are not recognised. */
  readonly map?: Readonly<Record<string, string>>;
  /** Judges everything and writes nothing. */
  readonly dryRun?: boolean;
  /** Called after each batch with the number of rows done. */
  readonly progress?: (rows: number, isLast: boolean) => void;
}

interface Row {
  readonly line: number;
  readonly input: ContactInput;
}

/**
 * Imports into the location of `scope`; the first record is the header. A row is an upsert: one without e-mail and phone is
 * refused, since importing it again would make it twice. Each batch commits by itself: what was imported stays, and an
 * import that broke off is finished by running it again.
 */
export async function importContacts(
  scope: Scope<Place>,
  records: AsyncIterable<CsvRecord>,
  { map = {}, dryRun = false, progress = () => {} }: ImportOptions = {},
): Promise<ImportReport> {
  const report: ImportReport = { created: 0, updated: 0, unchanged: 0, refused: [], left_out: [] };
  const leftOut = new Map<number, number>();
  // A rehearsal remembers what it would have written, so that a person who comes twice is created once.
  const rehearsed = new ContactIndex();
  const write = (change: Change<Place>, inputs: ContactInput[]): Promise<readonly Outcome[]> =>
    dryRun
      ? planBatch(change, rehearsed, inputs, "upsert").then(({ outcomes }) => outcomes)
      : writeContacts(change, inputs, "upsert");
  let mapping: ColumnMapping | undefined;
  let batch: Row[] = [];
  let rows = 0;

  async function finishBatch(isLast: boolean): Promise<void> {
    const inputs = batch.map(({ input }) => input);
    if (inputs.length > 0) count(report, batch, await scope.change((change) => write(change, inputs)));
    batch = [];
    progress(rows, isLast);
  }

  for await (const { line, cells } of records) {
    if (mapping === undefined) {
      mapping = mapColumns(cells, map);
      continue;
    }
    rows += 1;
    const { fields, unused } = readRow(mapping, cells);
    for (const place of unused) leftOut.set(place, (leftOut.get(place) ?? 0) + 1);
    const parsed = upsertContactInput.safeParse(fields);
    if (parsed.success) batch.push({ line, input: parsed.data });
    else report.refused.push({ line, errors: sentencesOf(parsed.error) });
    if (batch.length === limits.bulkContacts) await finishBatch(false);
  }
  if (mapping === undefined) throw new Invalid({ file: ["The file is empty: its first line must name the columns."] });
  await finishBatch(true);
  report.refused.sort((a, b) => a.line - b.line);
  const { columns } = mapping;
  report.left_out = [...leftOut]
    .toSorted(([a], [b]) => a - b)
    .map(([place, values]) => ({ column: columns[place] ?? `column ${place + 1}`, values }));
  return report;
}

function count(report: ImportReport, batch: readonly Row[], outcomes: readonly Outcome[]): void {
  outcomes.forEach((outcome, place) => {
    if (outcome.outcome === "refused") report.refused.push({ line: batch[place]!.line, errors: outcome.errors });
    else report[outcome.outcome] += 1;
  });
}
