/** Compiled inserts and updates for the hot changes: columns named once, many rows in one statement, ids back in the order sent. */
import type { Value, Writer } from "../rows.ts";

/** What a compiled statement writes. A test holds every one of these against the entity of its table. */
export interface CompiledWrite<Column extends string> {
  readonly table: string;
  readonly columns: readonly Column[];
}

interface Insert<Column extends string> extends CompiledWrite<Column> {
  /** The columns that stay as the database makes them: null, or their default. */
  readonly leaves: readonly string[];
}

interface Update<Column extends string> extends CompiledWrite<Column> {
  readonly onlyWhereOther: readonly Column[];
  /** By which of `onlyWhereOther` are written, a bit each: made when they are first asked for. */
  readonly statements: Map<number, UpdateStatement<Column>>;
}

interface UpdateStatement<Column extends string> {
  readonly columns: readonly Column[];
  readonly text: string;
}

const inserts: Insert<string>[] = [];
const updates: Update<string>[] = [];

/** Names the columns that a hot change fills, and those that it knowingly `leaves`: there is no third kind. */
export function defineInsert<const Column extends string>(
  table: string,
  columns: readonly Column[],
  { leaves = [] }: { leaves?: readonly string[] } = {},
): Insert<Column> {
  const insert = { table, columns, leaves };
  inserts.push(insert);
  return insert;
}

/**
 * Names the columns that a hot change of one row writes. SQLite writes the indexes of each column that a statement sets anew, also where the value stays
 * (PostgreSQL compares); those of `onlyWhereOther` are set only where they change. Each makes the statements to be kept twice as many: a handful at most.
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

/** The columns of `update` to be written where those of `changed` have other values. */
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

/** Writes the columns of `update` in the row with this id; of those that are written only where they change, the ones in `changed`. */
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

/** Rows in one statement, so that the number of parameters stays below both databases' limits (32,766 and 65,535). */
const rowsPerStatement = 500;

/** Inserts all `records` and resolves to their ids, in the order of `records`; waits for nothing where these were reserved. */
export async function insertRows<Column extends string>(
  writer: Writer,
  insert: CompiledWrite<Column>,
  records: readonly Readonly<Record<Column, Value>>[],
): Promise<number[]> {
  const reserved = await writer.takeIds(insert.table, records.length);
  if (reserved !== undefined) {
    sendRows(
      writer,
      withId(insert),
      records.map((record, place) => ({ ...record, id: reserved[place]! })),
    );
    return reserved;
  }
  const ids: number[] = [];
  for (const part of parts(records)) {
    const [text, params] = [`${insertText(insert, part.length)} returning id`, valuesOf(insert, part)];
    const inserted =
      part.length === 1
        ? await writer.rows<{ id: number }>(text, params)
        : await writer.rowsOnce<{ id: number }>(text, params);
    // Ids are handed out in the order of VALUES, but RETURNING promises no order.
    ids.push(...inserted.map((row) => row.id).toSorted((a, b) => a - b));
  }
  return ids;
}

/** Inserts all `records`, whose ids nobody needs. */
export function sendRows<Column extends string>(
  writer: Writer,
  insert: CompiledWrite<Column>,
  records: readonly Readonly<Record<Column, Value>>[],
): void {
  for (const part of parts(records)) {
    const [text, params] = [insertText(insert, part.length), valuesOf(insert, part)];
    if (part.length === 1) writer.send(text, params);
    else writer.sendOnce(text, params);
  }
}

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

/** The same insert for rows whose ids are known. */
function withId<Column extends string>(insert: CompiledWrite<Column>): CompiledWrite<Column | "id"> {
  let made = insertsWithId.get(insert);
  if (made === undefined) {
    made = { table: insert.table, columns: ["id", ...insert.columns] };
    insertsWithId.set(insert, made);
  }
  return made as CompiledWrite<Column | "id">;
}

const singleRowTexts = new Map<CompiledWrite<string>, string>();

function insertText(insert: CompiledWrite<string>, count: number): string {
  const kept = count === 1 ? singleRowTexts.get(insert) : undefined;
  if (kept !== undefined) return kept;
  const row = `(${insert.columns.map(() => "?").join(", ")})`;
  const columns = insert.columns.map((column) => `"${column}"`).join(", ");
  const text = `insert into "${insert.table}" (${columns}) values ${Array.from({ length: count }, () => row).join(", ")}`;
  if (count === 1) singleRowTexts.set(insert, text);
  return text;
}
