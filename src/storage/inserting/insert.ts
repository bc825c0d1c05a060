/**
 * Compiled inserts and updates for hot paths: columns declared once, many rows per statement, IDs returned in the order
 * of the records.
 */
import type { Writer } from "../rows.ts";
import type { SqlText } from "../sql-text.ts";
import type { Value } from "../value.ts";

/** The columns a compiled statement writes. A test compares them with the entity. */
export interface CompiledWrite<Column extends string> {
  readonly table: string;
  readonly columns: readonly Column[];
  readonly feeds?: FedTable | undefined;
}

interface Insert<Column extends string> extends CompiledWrite<Column> {
  /** Columns left to the database: null or their default. */
  readonly leaves: readonly string[];
}

/** A second table, which gets one row of each inserted one, in the same statement. */
interface FedTable {
  readonly table: string;
  /** Its column → the column of the inserted row, which may be `id`. */
  readonly columns: Readonly<Record<string, string>>;
  /**
   * What SQLite does instead, which has no statement for both: statements behind the insert, while the last inserted id is `last_insert_rowid()` for
   * the first of them. Each binds the number of rows.
   */
  readonly embedded: readonly SqlText[];
}

interface Update<Column extends string> extends CompiledWrite<Column> {
  readonly onlyWhereOther: readonly Column[];
  /** Statements by a bit mask of `onlyWhereOther`, created on first use. */
  readonly statements: Map<number, UpdateStatement<Column>>;
}

interface UpdateStatement<Column extends string> {
  readonly columns: readonly Column[];
  readonly text: string;
}

const inserts: Insert<string>[] = [];
const updates: Update<string>[] = [];

/** Declares an insert: the columns it fills and those it `leaves`; together they are all columns. The ids are assigned in ascending order. */
export function defineInsert<const Column extends string>(
  table: string,
  columns: readonly Column[],
  { leaves = [], feeds }: { leaves?: readonly string[]; feeds?: FedTable } = {},
): Insert<Column> {
  const insert = { table, columns, leaves, feeds };
  inserts.push(insert);
  return insert;
}

/**
 * Declares an update of one row. SQLite rewrites the indexes of every column in a SET, even for an equal value
 * (PostgreSQL compares); columns in `onlyWhereOther` are set only when they change. Each doubles the number of cached
 * statements: use a handful at most.
 */
export function defineUpdate<const Column extends string>(
  table: string,
  columns: readonly Column[],
  { onlyWhereOther = [] }: { onlyWhereOther?: readonly NoInfer<Column>[] } = {},
): Update<Column> {
  const update: Update<Column> = { table, columns, onlyWhereOther, statements: new Map() };
  updates.push(update);
  return update;
}

/** The columns of `update` that differ in `changed`. */
export function columnsToWrite<Column extends string>(
  { columns, onlyWhereOther }: Update<Column>,
  changed: ReadonlySet<string>,
): Column[] {
  return columns.filter((column) => changed.has(column) || !onlyWhereOther.includes(column));
}

export function definedInserts(): readonly Insert<string>[] {
  return inserts;
}

export function definedUpdates(): readonly Update<string>[] {
  return updates;
}

/** Updates the row with this ID; columns that are written only on change are those in `changed`. */
export function updateRow<Column extends string>(
  writer: Writer,
  update: Update<Column>,
  id: number,
  record: Readonly<Record<Column, Value>>,
  changed: ReadonlySet<string> = noColumns,
): void {
  const { columns, text } = statementFor(update, changed);
  writer.send(text, [...columns.map((column) => record[column]), id]);
}

const noColumns: ReadonlySet<string> = new Set();

function statementFor<Column extends string>(
  update: Update<Column>,
  changed: ReadonlySet<string>,
): UpdateStatement<Column> {
  let which = 0;
  for (const [place, column] of update.onlyWhereOther.entries()) if (changed.has(column)) which |= 1 << place;
  let statement = update.statements.get(which);
  if (statement === undefined) {
    const columns = columnsToWrite(update, changed);
    const set = columns.map((column) => `"${column}" = ?`).join(", ");
    statement = { columns, text: `update "${update.table}" set ${set} where "id" = ?` };
    update.statements.set(which, statement);
  }
  return statement;
}

/**
 * Rows per statement, so that the number of parameters stays below the limits of both databases (32,766 and 65,535).
 */
const rowsPerStatement = 500;

interface PreparedCounts {
  /** The most rows of a statement that is prepared and kept, one for each count; 1 if not given. */
  readonly prepared?: number;
}

/** Inserts all `records` and resolves to their IDs in order; without a round trip if the IDs were reserved. */
export async function insertRows<Column extends string>(
  writer: Writer,
  insert: CompiledWrite<Column>,
  records: readonly Readonly<Record<Column, Value>>[],
  { prepared = 1 }: PreparedCounts = {},
): Promise<number[]> {
  const reserved = await writer.roundTrips.takeIds(insert.table, records.length);
  if (reserved !== undefined) {
    sendRows(
      writer,
      withId(insert),
      records.map((record, place) => ({ ...record, id: reserved[place]! })),
      { prepared },
    );
    return reserved;
  }
  const ids: number[] = [];
  for (const part of parts(records)) {
    const [text, params] = [insertText(insert, part.length, true), valuesOf(insert, part)];
    const inserting =
      part.length <= prepared
        ? writer.rows<{ id: number }>(text, params)
        : writer.rowsOnce<{ id: number }>(text, params);
    const inserted = await afterSending(inserting, () => sendFed(writer, insert, part.length));
    // IDs are assigned in the order of VALUES, but RETURNING guarantees no order.
    ids.push(...inserted.map((row) => row.id).toSorted((a, b) => a - b));
  }
  return ids;
}

/** Inserts all `records` without returning IDs. */
export function sendRows<Column extends string>(
  writer: Writer,
  insert: CompiledWrite<Column>,
  records: readonly Readonly<Record<Column, Value>>[],
  { prepared = 1 }: PreparedCounts = {},
): void {
  for (const part of parts(records)) {
    const [text, params] = [insertText(insert, part.length), valuesOf(insert, part)];
    if (part.length <= prepared) writer.send(text, params);
    else writer.sendOnce(text, params);
    sendFed(writer, insert, part.length);
  }
}

/** On SQLite, the rows that an insert of `count` rows feeds: behind it at once, while its last id is the connection's last. */
function sendFed(writer: Writer, { feeds }: CompiledWrite<string>, count: number): void {
  for (const text of feeds?.embedded ?? []) writer.send(text, [count]);
}

/** Resolves to `result`, whose error precedes that of `send`: what was sent behind a failed insert fails because of it. */
async function afterSending<Result>(result: Promise<Result>, send: () => void): Promise<Result> {
  try {
    send();
  } catch (error) {
    await result;
    throw error;
  }
  return result;
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");

function* parts<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += rowsPerStatement) {
    yield items.length <= rowsPerStatement ? items : items.slice(start, start + rowsPerStatement);
  }
}

function valuesOf<Column extends string>(
  { columns }: CompiledWrite<Column>,
  records: readonly Readonly<Record<Column, Value>>[],
): Value[] {
  return records.flatMap((record) => columns.map((column) => record[column]));
}

const insertsWithId = new Map<CompiledWrite<string>, CompiledWrite<string>>();

/** The same insert with known IDs. */
function withId<Column extends string>(insert: CompiledWrite<Column>): CompiledWrite<Column | "id"> {
  let made = insertsWithId.get(insert);
  if (made === undefined) {
    made = { table: insert.table, columns: ["id", ...insert.columns], feeds: insert.feeds };
    insertsWithId.set(insert, made);
  }
  return made as CompiledWrite<Column | "id">;
}

/** The maximum number of rows of an insert whose text is kept, such as that of the custom values of one record. */
const mostKept = 20;

type InsertTexts = Record<"returning" | "plain", SqlText>;
/** By insert, then by the number of rows. */
const keptTexts = new Map<CompiledWrite<string>, (InsertTexts | undefined)[]>();

function insertText(insert: CompiledWrite<string>, count: number, isReturning = false): SqlText {
  if (count > mostKept) return writeInsertText(insert, count, isReturning);
  let kept = keptTexts.get(insert);
  if (kept === undefined) {
    kept = [];
    keptTexts.set(insert, kept);
  }
  const texts = (kept[count] ??= {
    returning: writeInsertText(insert, count, true),
    plain: writeInsertText(insert, count, false),
  });
  return isReturning ? texts.returning : texts.plain;
}

function writeInsertText(
  { table, columns, feeds }: CompiledWrite<string>,
  count: number,
  isReturning: boolean,
): SqlText {
  const row = `(${columns.map(() => "?").join(", ")})`;
  const values = Array.from({ length: count }, () => row).join(", ");
  const text = `insert into "${table}" (${quoted(columns)}) values ${values}`;
  const sqlite = isReturning ? `${text} returning id` : text;
  if (feeds === undefined) return { sqlite, postgres: sqlite };
  const [fed, from] = [Object.keys(feeds.columns), Object.values(feeds.columns)];
  const inserted = `with inserted as (${text} returning ${quoted(["id", ...from.filter((name) => name !== "id")])})`;
  const feed = `insert into "${feeds.table}" (${quoted(fed)}) select ${quoted(from)} from inserted`;
  if (!isReturning) return { sqlite, postgres: `${inserted} ${feed}` };
  return { sqlite, postgres: `${inserted}, fed as (${feed}) select id from inserted` };
}
