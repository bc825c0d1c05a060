/**
 * Keyset pagination: decodes or refuses the cursor, reads one row more than a page, and signs the cursor of the next
 * page.
 */
import { Invalid } from "../vocabulary/errors.ts";
import { limits } from "../vocabulary/limits.ts";
import { markLong } from "./json/long-lists.ts";
import { awaitRenderTurn } from "./waiting/fair-lock.ts";
import type { CursorPosition, Cursors } from "./cursor.ts";

export interface Page<Item> {
  readonly data: Item[];
  /** Where the next page begins; null ends the list. */
  readonly next_cursor: string | null;
}

/** The query of a list; an empty cursor counts as none. */
export interface PageQuery {
  readonly cursor?: string | null | undefined;
  /** The most items of the page; default, and at most: `limits.pageSize`. */
  readonly limit?: number | undefined;
}

interface PageSource<Row, Item, Position extends Readonly<CursorPosition>> {
  /** Identifies the list with its order and members; a cursor of another list is refused. */
  readonly list: string;
  /** The rows after `after` (undefined: from the beginning) in the order of the list, at most `most` of them. */
  readonly find: (after: Position | undefined, most: number) => Promise<readonly Row[]>;
  /** The position of a row: the keyset columns, in the order of the list's index. */
  readonly placeOf: (row: Row) => Position;
  /**
   * Whether the page ends before this row although it is not full, since responses are bounded in bytes as well. Never
   * true for its first row.
   */
  readonly endsBefore?: (row: Row) => boolean;
  /**
   * The same for rows weighed in the database (storage/reading/weighed-page.ts): the maximum bytes of their texts per
   * page.
   */
  readonly mostBytes?: number;
  /** The characters of the rows, where those of their own columns are not all. */
  readonly charactersOf?: (rows: readonly Row[]) => number;
  readonly show: (row: Row) => Item;
}

/** Reads the page at `cursor`. Refuses, on `cursor`, one that this list did not issue. */
export async function page<Row, Item, Position extends Readonly<CursorPosition>>(
  cursors: Cursors,
  { cursor, limit = limits.pageSize }: PageQuery,
  {
    list,
    find,
    placeOf,
    mostBytes,
    endsBefore = endsBeyond(mostBytes),
    show,
    ...weighing
  }: PageSource<Row, Item, Position>,
): Promise<Page<Item>> {
  const after = cursor === undefined || cursor === null ? undefined : cursors.decode(list, cursor);
  if (after === undefined && typeof cursor === "string") {
    throw new Invalid({ cursor: ["The cursor is not one that this list gave out."] });
  }
  const most = Math.min(limit, limits.pageSize);
  const rows = await find(after as Position | undefined, most + 1);
  const isLong = await awaitRenderTurn(
    mostBytes === undefined ? (weighing.charactersOf ?? charactersOf)(rows) : weightOf(rows.at(-1)),
  );
  const data: Item[] = [];
  if (isLong) markLong(data);
  // A plain loop: this is the hottest path of the service, with up to 200 rows.
  for (const row of rows) {
    if (data.length === most || (data.length > 0 && endsBefore?.(row) === true)) break;
    data.push(show(row));
  }
  const last = rows.length > data.length ? rows[data.length - 1] : undefined;
  return { data, next_cursor: last === undefined ? null : cursors.encode(list, placeOf(last)) };
}

function weightOf(row: unknown): number {
  return (row as { readonly bytes_so_far: number } | undefined)?.bytes_so_far ?? 0;
}

function endsBeyond(mostBytes: number | undefined): ((row: unknown) => boolean) | undefined {
  return mostBytes === undefined ? undefined : (row) => weightOf(row) > mostBytes;
}

/** Counts the characters of all texts in the rows. */
export function charactersOf(rows: readonly unknown[]): number {
  let count = 0;
  for (const row of rows) count += charactersOfRow(row);
  return count;
}

export function charactersOfRow(row: unknown): number {
  let count = 0;
  for (const value of Object.values(row as object)) if (typeof value === "string") count += value.length;
  return count;
}

/** Reads all pages of a list, or its first `most` items, for commands. */
export async function allPages<Item>(
  load: (query: PageQuery) => Promise<Page<Item>>,
  most: number = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null | undefined; cursor !== null && items.length < most;) {
    const { data, next_cursor }: Page<Item> = await load({ cursor });
    items.push(...data);
    cursor = next_cursor;
  }
  return items.length > most ? items.slice(0, most) : items;
}
