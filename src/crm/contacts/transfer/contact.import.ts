/** Imports contacts from the rows of a table, as upserts in batches. Idempotent: importing the same file again creates no duplicates. */
import { z } from "zod";
import type { Caller, LocationContext } from "../../../events/caller.ts";
import { unescapeFormula } from "../../../kit/csv/csv-formulas.ts";
import { sentencesOf } from "../../../kit/input/fields.ts";
import type { FieldErrors } from "../../../vocabulary/errors.ts";
import { Invalid } from "../../../vocabulary/errors.ts";
import { limits } from "../../../vocabulary/limits.ts";
import type { ItemOutcome } from "../write/contact.plan.ts";
import { sliceHolderOf } from "../../../events/read-queue.ts";
import { inSlice } from "../../../kit/waiting/time-slice.ts";
import { definedFields } from "../../custom-fields/custom-values.queries.ts";
import { tagInput } from "../../tags/tag.schema.ts";
import { exactContactInput, upsertContactInput } from "../contact.schema.ts";
import { attemptBisectingContacts } from "../write/contact.bisect.ts";
import { createMissingFields, toMissingFields } from "./csv-custom-fields.ts";
import type { UnknownColumn } from "./csv-custom-fields.ts";
import { mapColumns, readRow } from "./csv-columns.ts";
import type { ColumnMapping } from "./csv-columns.ts";
import type { CsvRecord } from "./csv-file.ts";
import { exactTimes, readExactRows } from "./exact-rows.ts";
import type { ExactRows } from "./exact-rows.ts";
import { createDryRunState, writeBatch } from "./import.batch.ts";
import type { ValidRow, WrittenBatch } from "./import.batch.ts";
import { findTriggeredWorkflows } from "./triggered-workflows.ts";
import { ImportTally } from "./import.report.ts";
import type { ImportReport } from "./import.report.ts";

export interface RefusedRow extends Pick<CsvRecord, "line" | "cells" | "broken"> {
  readonly errors: FieldErrors;
}

/** Receives all refused rows: `begin` once, then `add` in file order. */
export interface RefusedRows {
  begin(columns: readonly string[], delimiter: string): Promise<void>;
  add(rows: readonly RefusedRow[]): Promise<void>;
}

/** Progress so far: rows, and bytes of the file. */
export interface ImportProgress {
  readonly rows: number;
  readonly bytes: number;
}

export interface ImportOptions {
  /** Column → field, for headers that are not recognized. */
  readonly map?: Readonly<Record<string, string>>;
  /** Whether to create missing tags; otherwise rows with unknown tags are refused. */
  readonly createTags?: boolean;
  /** Whether to create custom fields for columns without a field, by their first values (`sampleRows`, `sampleBytes`). */
  readonly createFields?: boolean;
  /** Restores an export: creates a contact per row, with its original times, in a location without other contacts. */
  readonly exact?: boolean;
  /** Validates everything and writes nothing. */
  readonly dryRun?: boolean;
  /** Called after each batch. */
  readonly progress?: (reached: ImportProgress) => void;
  readonly refusedRows?: RefusedRows;
  /** Ends the import after the current batch. */
  readonly signal?: AbortSignal;
}

/** The import failed midway. `cause` is the error; `report` covers the batches that are committed. */
export class ImportInterrupted extends Error {
  readonly report: ImportReport;
  constructor(report: ImportReport, cause: unknown) {
    super("the import failed midway", { cause });
    this.report = report;
  }
}

type ImportRow = CsvRecord & { readonly unused: readonly number[] } & (
    | (ValidRow & { readonly errors?: undefined })
    | { readonly input?: undefined; readonly errors: FieldErrors }
  );

const nothing: WrittenBatch = { outcomes: [], events: new Map(), made: new Map() };

/**
 * Imports into the location of `caller`; the first record is the header. Each row is an upsert, with one exception: a phone number shared by
 * people with different e-mail addresses (contact.plan.ts). A row without e-mail and phone is refused, since importing it again would create
 * a duplicate. Each batch commits on its own, without rows that the database rejects; an import that failed midway is finished by running it
 * again. Memory is bounded by one batch.
 */
export async function importContacts(
  caller: Caller<LocationContext>,
  records: AsyncIterable<CsvRecord>,
  {
    map = {},
    createTags = true,
    createFields = false,
    exact = false,
    dryRun = false,
    progress = () => {},
    refusedRows,
    signal,
  }: ImportOptions = {},
): Promise<ImportReport> {
  const tally = new ImportTally(await findTriggeredWorkflows(caller));
  const dryRunState = dryRun ? createDryRunState() : undefined;
  let mapping: ColumnMapping | undefined;
  let exactRows: ExactRows | undefined;
  let batch: ImportRow[] = [];
  let rows = 0;
  let lastLine = 0;

  /** Writes the batch in one change, or, if the database rejects a row, without that row. */
  async function finishBatch(): Promise<void> {
    if (batch.length === 0) return;
    await attemptBisectingContacts(batch, attempt, (row, errors) =>
      recordOutcomes([row], [{ outcome: "refused", errors }]),
    );
    batch = [];
  }

  async function attempt(part: readonly ImportRow[]): Promise<void> {
    const valid = part.filter((row) => row.input !== undefined);
    const { outcomes, events, made } =
      valid.length === 0
        ? nothing
        : await caller.change(
            (change) => writeBatch(change, valid, { createTags, dryRun: dryRunState, exact }),
            "large",
          );
    for (const [key, tag] of made) dryRunState?.tags.set(key, tag);
    tally.addEvents(events);
    tally.addTags([...made.values()].map(({ name }) => name));
    const written = outcomes.values();
    await recordOutcomes(
      part,
      part.map(({ errors }) => (errors === undefined ? written.next().value! : { outcome: "refused", errors })),
    );
  }

  /** Records the outcomes of rows, after their commit. */
  async function recordOutcomes(part: readonly ImportRow[], outcomes: readonly ItemOutcome[]): Promise<void> {
    const refused: RefusedRow[] = [];
    part.forEach((row, index) => {
      const outcome = outcomes[index]!;
      tally.add(row.line, row.unused, outcome);
      if (outcome.outcome === "refused") refused.push({ ...row, errors: outcome.errors });
    });
    const last = part.at(-1)!;
    rows += part.length;
    lastLine = last.line;
    if (refused.length > 0) await refusedRows?.add(refused);
    progress({ rows, bytes: last.bytes });
  }

  function skip({ line, bytes }: CsvRecord): void {
    tally.addKnown();
    rows += 1;
    lastLine = line;
    progress({ rows, bytes });
  }

  const report = (stoppedAfterLine: number | null): ImportReport =>
    tally.conclude(mapping?.columns ?? [], stoppedAfterLine);

  /** Maps the header; `rows` are the first ones. */
  async function mapHeader(header: readonly string[], rows: readonly CsvRecord[]): Promise<ColumnMapping> {
    const known = mapColumns(header, map, await definedFields(caller, "contact"));
    if (!createFields) return known;
    const missing = toUnknownColumns(known, rows);
    tally.addFields(toMissingFields(missing));
    if (missing.length === 0 || dryRun)
      return { ...known, ignored: [...known.ignored, ...missing.map(({ index }) => index)] };
    await caller.change((change) => createMissingFields(change, missing));
    return mapColumns(header, map, await definedFields(caller, "contact"));
  }

  try {
    const { first, all } = await readAhead(records, createFields ? sampleRows : 1);
    for await (const record of all) {
      if (mapping === undefined) {
        mapping = await mapHeader(headerOf(record), first.slice(1));
        if (exact) exactRows = readExactRows(caller, mapping, map);
        await refusedRows?.begin(mapping.columns, record.delimiter);
        lastLine = record.line;
        continue;
      }
      const known = mapping;
      // Rows that are refused reach no database, and nothing else would let other requests be served between them.
      const row = await inSlice(sliceHolderOf(caller), async () => validateRow(known, record, exactRows));
      if (row?.input !== undefined && (await exactRows?.isKnown(record.cells))) skip(record);
      else if (row !== undefined) batch.push(row);
      if (batch.length < limits.bulkContacts) continue;
      await finishBatch();
      if (signal?.aborted) return report(lastLine);
    }
    if (mapping === undefined)
      throw new Invalid({ file: ["The file is empty: its first line must name the columns."] });
    await exactRows?.finish();
    await finishBatch();
    return report(null);
  } catch (error) {
    // The file reader was aborted by the signal first.
    if (signal?.aborted && (error as Error).name === "AbortError") return report(lastLine);
    throw rows === 0 ? error : new ImportInterrupted(report(lastLine), error);
  }
}

/** The rows, and the bytes of the file, by which the types of missing fields are chosen. */
const sampleRows = 1000;
const sampleBytes = 1_048_576;

/** The first records, at most `most` and about `sampleBytes` of them, and all records. */
async function readAhead(
  records: AsyncIterable<CsvRecord>,
  most: number,
): Promise<{ readonly first: readonly CsvRecord[]; readonly all: AsyncGenerator<CsvRecord> }> {
  const source = records[Symbol.asyncIterator]();
  const first: CsvRecord[] = [];
  while (first.length < most && (first.at(-1)?.bytes ?? 0) < sampleBytes) {
    const next = await source.next();
    if (next.done === true) break;
    first.push(next.value);
  }
  async function* all(): AsyncGenerator<CsvRecord> {
    try {
      yield* first;
      for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
    } finally {
      await source.return?.();
    }
  }
  return { first, all: all() };
}

/** One column for each name; an empty one needs no field. */
function toUnknownColumns({ columns, unknown }: ColumnMapping, rows: readonly CsvRecord[]): UnknownColumn[] {
  const found = unknown.map((index) => {
    const values = rows.map(({ cells }) => unescapeFormula(cells[index] ?? "").trim()).filter((value) => value !== "");
    return { name: columns[index]!, index, values };
  });
  const keys = toMissingFields(found).map(({ key }) => key);
  return found.filter(({ values }, place) => values.length > 0 && keys.indexOf(keys[place]!) === place);
}

function headerOf({ line, cells, broken }: CsvRecord): readonly string[] {
  if (broken === undefined) return cells;
  throw new Invalid({ file: [`The header cannot be read: line ${line} ${broken.because}`] });
}

/** Undefined for an empty row, as at the end of many spreadsheets. */
function validateRow(mapping: ColumnMapping, record: CsvRecord, exact: ExactRows | undefined): ImportRow | undefined {
  if (record.broken !== undefined) {
    return { ...record, unused: [], errors: { row: [`The row ${record.broken.because}`] } };
  }
  const { fields, tags, unused } = readRow(mapping, record.cells);
  if (Object.keys(fields).length === 0 && tags.length === 0 && unused.length === 0) return undefined;
  const parsed = (exact === undefined ? upsertContactInput : exactContactInput).safeParse(fields);
  const named = tagNames.safeParse({ tags });
  const times = exact && exactTimes.safeParse(exact.timesOf(record.cells));
  if (parsed.success && named.success && times?.success !== false)
    return { ...record, unused, input: parsed.data, tags, times: times?.data };
  const wrong = [parsed.error, named.error, times?.error].filter((error) => error !== undefined);
  return { ...record, unused, errors: Object.assign({}, ...wrong.map(sentencesOf)) as FieldErrors };
}

const tagNames = z.object({ tags: z.array(tagInput.shape.name).max(limits.contactTags) });
