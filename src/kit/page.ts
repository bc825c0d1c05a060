/** One page of a list by keyset: the cursor decoded or refused, one row more than a page read, the page cut, its end signed. */
import { Invalid } from "../vocabulary/errors.ts";
import { limits } from "../vocabulary/limits.ts";
import { markLong } from "./long-lists.ts";
import { awaitRenderTurn } from "./waiting/fair-lock.ts";
import type { CursorPosition, Cursors } from "./cursor.ts";

export interface Page<Item> {
  readonly data: Item[];
  /** Where the next page begins; null ends the list. */
  readonly next_cursor: string | null;
}

/** What a list is asked for; an empty cursor is none. */
export interface PageQuery {
  readonly cursor?: string | null | undefined;
}

interface PageSource<Row, Item, Position extends Readonly<CursorPosition>> {
  /** Names the list and everything that decides its order and members; a cursor of another list is refused. */
  readonly list: string;
  /** The rows after `after` (undefined: from the beginning) in the order of the list, at most `most` of them. */
  readonly find: (after: Position | undefined, most: number) => Promise<readonly Row[]>;
  /** The place of a row: the columns of the keyset, in the order of the list's index. */
  readonly placeOf: (row: Row) => Position;
  /** Whether the page ends before a row, though it is not full: an answer is bounded in bytes as well. Never before its first row. */
  readonly endsBefore?: (row: Row) => boolean;
  /** The same for rows that were weighed in the database (storage/reading/weighed-page.ts): the most bytes of their texts on a page. */
  readonly mostBytes?: number;
  readonly show: (row: Row) => Item;
}

/** Reads the page that `cursor` names. Refuses, on `cursor`, one that this list did not give out. */
export async function page<Row, Item, Position extends Readonly<CursorPosition>>(
  cursors: Cursors,
  { cursor }: PageQuery,
  { list, find, placeOf, mostBytes, endsBefore = endsBeyond(mostBytes), show }: PageSource<Row, Item, Position>,
): Promise<Page<Item>> {
  const after = cursor === undefined || cursor === null ? undefined : cursors.decode(list, cursor);
  if (after === undefined && typeof cursor === "string") {
    throw new Invalid({ cursor: ["The cursor is not one that this list gave out."] });
  }
  const rows = await find(after as Position | undefined, limits.pageSize + 1);
  const isLong = await awaitRenderTurn(mostBytes === undefined ? charactersOf(rows) : weightOf(rows.at(-1)));
  const data: Item[] = [];
  if (isLong) markLong(data);
  // A plain loop: a list of 200 passes here on the hottest road that there is.
  for (const row of rows) {
    if (data.length === limits.pageSize || (data.length > 0 && endsBefore?.(row) === true)) break;
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

/** Of the texts that stand in the rows themselves. */
export function charactersOf(rows: readonly unknown[]): number {
  let count = 0;
  for (const row of rows)
    for (const value of Object.values(row as object)) if (typeof value === "string") count += value.length;
  return count;
}

/** Every item of a list, page after page, for commands that print the whole of it, or the first `most`. */
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
