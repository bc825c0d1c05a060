/** Imports contacts from the rows of a table: upserts in batches, so that the same file again makes nothing twice. */
import type { Caller, Change, Place } from "../../../events/caller.ts";
import { sentencesOf } from "../../../kit/fields.ts";
import type { FieldErrors } from "../../../vocabulary/errors.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";
import { ContactIndex } from "../write/contact.index.ts";
import type { Outcome } from "../write/contact.plan.ts";
import { upsertContactInput } from "../contact.schema.ts";
import type { ContactInput } from "../contact.schema.ts";
import { planBatch, writeContacts } from "../write/contact.write.ts";
import { mapColumns, readRow } from "./csv-columns.ts";
import type { ColumnMapping } from "./csv-columns.ts";
import type { CsvRecord } from "./csv-file.ts";

export interface ImportReport {
  created: number;
  updated: number;
  /** Rows that say what is known already. */
  unchanged: number;
  /** How many rows were not imported. */
  refused_count: number;
  /** The first of them, by the line each begins on, and why: as many as somebody reads, whatever the size of the file. */
  refused: { line: number; errors: FieldErrors }[];
  /** How many rows changed a contact that nothing but their phone number found. */
  merged_by_phone_count: number;
  /** The first of them, as many as of those that are refused: whom they changed, by the name before. `id` is null in a rehearsal for one that it made. */
  merged_by_phone: { line: number; contact: { id: number | null; name: string } }[];
  /** Columns with values that went nowhere, and how many: no field, or a better column of the same field was filled. */
  left_out: { column: string; values: number }[];
  /** The last line that was dealt with, where the import ended before the file did; null where it reached the end. */
  stopped_after_line: number | null;
}

export interface RefusedRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly errors: FieldErrors;
}

/** Takes the rows that are refused, all of them: `begin` once, then `add` in the order of the file. */
export interface RefusedRows {
  begin(columns: readonly string[]): Promise<void>;
  add(rows: readonly RefusedRow[]): Promise<void>;
}

/** What has been dealt with so far: rows, and bytes of the file. */
export interface Reached {
  readonly rows: number;
  readonly bytes: number;
}

export interface ImportOptions {
  /** Column → field, for headers that are not recognised. */
  readonly map?: Readonly<Record<string, string>>;
  /** Judges everything and writes nothing. */
  readonly dryRun?: boolean;
  /** Called after each batch. */
  readonly progress?: (reached: Reached) => void;
  readonly refusedRows?: RefusedRows;
  /** Ends the import after the batch that it is in. */
  readonly signal?: AbortSignal;
}

/** Something went wrong after a part was imported; `cause` says what, and `report` what is done and stays so. */
export class ImportBrokeOff extends Error {
  readonly report: ImportReport;
  constructor(report: ImportReport, cause: unknown) {
    super("the import broke off", { cause });
    this.report = report;
  }
}

/** How many rows of one kind a report shows. */
const shownRows = 100;

type Accepted = Exclude<Outcome, { outcome: "refused" }>;

type Row = CsvRecord & { readonly unused: readonly number[] } & (
    | { readonly input: ContactInput; readonly errors?: undefined }
    | { readonly input?: undefined; readonly errors: FieldErrors }
  );

/**
 * Imports into the location of `caller`; the first record is the header. A row is an upsert, but for people who share a phone
 * number and have e-mail addresses of their own (contact.plan.ts): one without e-mail and phone is
 * refused, since importing it again would make it twice. Each batch commits by itself: what was imported stays, and an
 * import that broke off is finished by running it again. Holds one batch at a time, however long the file is.
 */
export async function importContacts(
  caller: Caller<Place>,
  records: AsyncIterable<CsvRecord>,
  { map = {}, dryRun = false, progress = () => {}, refusedRows, signal }: ImportOptions = {},
): Promise<ImportReport> {
  const report: ImportReport = {
    created: 0,
    updated: 0,
    unchanged: 0,
    refused_count: 0,
    refused: [],
    merged_by_phone_count: 0,
    merged_by_phone: [],
    left_out: [],
    stopped_after_line: null,
  };
  const leftOut = new Map<number, number>();
  // A rehearsal remembers what it would have written, so that a person who comes twice is created once.
  const rehearsed = new ContactIndex();
  const write = (change: Change<Place>, inputs: ContactInput[]): Promise<readonly Outcome[]> =>
    dryRun
      ? planBatch(change, rehearsed, inputs, "import").then(({ outcomes }) => outcomes)
      : writeContacts(change, inputs, "import");
  let mapping: ColumnMapping | undefined;
  let batch: Row[] = [];
  let rows = 0;
  let lastLine = 0;

  async function finishBatch(): Promise<void> {
    const last = batch.at(-1);
    if (last === undefined) return;
    const refused = await writeBatch();
    report.refused_count += refused.length;
    const shown = refused.slice(0, shownRows - report.refused.length);
    report.refused.push(...shown.map(({ line, errors }) => ({ line, errors })));
    for (const place of batch.flatMap(({ unused }) => unused)) leftOut.set(place, (leftOut.get(place) ?? 0) + 1);
    rows += batch.length;
    lastLine = last.line;
    batch = [];
    if (refused.length > 0) await refusedRows?.add(refused);
    progress({ rows, bytes: last.bytes });
  }

  /** Writes what can be written; resolves to the rows that cannot, in the order of the file. */
  async function writeBatch(): Promise<RefusedRow[]> {
    const inputs = batch.flatMap(({ input }) => input ?? []);
    const outcomes = inputs.length === 0 ? [] : await caller.change((change) => write(change, inputs));
    let place = 0;
    return batch.flatMap((row) => {
      if (row.errors !== undefined) return row;
      const outcome = outcomes[place++]!;
      if (outcome.outcome === "refused") return { ...row, errors: outcome.errors };
      report[outcome.outcome] += 1;
      if (outcome.outcome === "updated" && outcome.found?.by === "phone") noteMerger(row.line, outcome);
      return [];
    });
  }

  function noteMerger(line: number, { contact, found }: Accepted): void {
    report.merged_by_phone_count += 1;
    if (report.merged_by_phone.length === shownRows) return;
    report.merged_by_phone.push({ line, contact: { id: contact.id ?? null, name: found!.name } });
  }

  function conclude(stoppedAfterLine: number | null): ImportReport {
    report.left_out = [...leftOut]
      .toSorted(([a], [b]) => a - b)
      .map(([place, values]) => ({ column: mapping?.columns[place] ?? `column ${place + 1}`, values }));
    report.stopped_after_line = stoppedAfterLine;
    return report;
  }

  try {
    for await (const record of records) {
      if (mapping === undefined) {
        mapping = mapColumns(record.cells, map);
        await refusedRows?.begin(mapping.columns);
        lastLine = record.line;
        continue;
      }
      const row = judge(mapping, record);
      if (row !== undefined) batch.push(row);
      if (batch.length < limits.bulkContacts) continue;
      await finishBatch();
      if (signal?.aborted) return conclude(lastLine);
    }
    if (mapping === undefined)
      throw new Invalid({ file: ["The file is empty: its first line must name the columns."] });
    await finishBatch();
    return conclude(null);
  } catch (error) {
    // Whoever reads the file heard the signal first.
    if (signal?.aborted && (error as Error).name === "AbortError") return conclude(lastLine);
    throw rows === 0 ? error : new ImportBrokeOff(conclude(lastLine), error);
  }
}

/** Undefined for a row in which nothing stands: spreadsheets end in them. */
function judge(mapping: ColumnMapping, record: CsvRecord): Row | undefined {
  const { fields, unused } = readRow(mapping, record.cells);
  if (Object.keys(fields).length === 0 && unused.length === 0) return undefined;
  const parsed = upsertContactInput.safeParse(fields);
  return parsed.success
    ? { ...record, unused, input: parsed.data }
    : { ...record, unused, errors: sentencesOf(parsed.error) };
}
