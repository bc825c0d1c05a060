/** Where the values of columns come from, and which tables equal values link. */
import { keyedTables } from "./keys.ts";
import { given, unknown } from "./links.ts";
import type { Links, Place } from "./links.ts";

interface Source {
  readonly place: Place;
  /** The table whose record the value names; undefined where it names none of a workspace. */
  readonly key: string | undefined;
}

/** Each value is taken from one of the sources. Without any of them it is null. */
export type Value = readonly Source[];

export const parameter: Value = [{ place: given, key: undefined }];
export const unknownValue: Value = [{ place: unknown, key: undefined }];

/** Columns by name, in the order in which a query returns them. */
export type Columns = ReadonlyMap<string, Value>;

/** What stands in FROM, under its name there. */
export interface Item {
  readonly name: string;
  readonly columns: Columns;
}

export function tableItem(links: Links, table: string, name: string): Item & { readonly place: Place } {
  const { columns, keys, unique } = keyedTables.get(table) ?? unknownTable;
  const place = keys.size === 0 ? unknown : links.addTable(table);
  const keyOf = (column: string) => keys.get(column) ?? (unique.has(column) ? `${table}.${column}` : undefined);
  return { name, place, columns: new Map([...columns].map((column) => [column, [{ place, key: keyOf(column) }]])) };
}

const unknownTable = { columns: new Set<string>(), keys: new Map<string, string>(), unique: new Set<string>() };

/** Rows of which each is one of the first or one of the second. */
export function union(first: Columns, second: Columns): Columns {
  const others = [...second.values()];
  return new Map([...first].map(([name, value], place) => [name, [...value, ...(others[place] ?? unknownValue)]]));
}

export function renamed(columns: Columns, names: readonly string[]): Columns {
  return new Map([...columns].map(([name, value], place) => [names[place] ?? name, value]));
}

export function link(links: Links, one: Value, other: Value): void {
  linkTo(links, one, other);
  linkTo(links, other, one);
}

function linkTo(links: Links, from: Value, to: Value): void {
  if (from.length === 0) return;
  for (const { place, key } of to) {
    const isSame = key !== undefined && from.every((source) => source.place === given || source.key === key);
    if (place > given && isSame) links.add({ from: from.map((source) => source.place), to: place });
  }
}
