/**
 * Ranges of the rows of one owner, such as a location, in an order that another index gives for the rows of all owners together. PostgreSQL expects an
 * owner to have its share of any thousand rows, and would read those of all others on the way to the few of a small one. Rows compared with rows, which
 * the other index cannot answer, keep it to the index of owner and place. An owner that is compared by equality as well would begin the scan at its first row,
 * however far the end is. SQLite takes that index by itself, and begins at the end.
 */
import { sql } from "../sql-text.ts";
import type { SqlText } from "../sql-text.ts";

export interface OwnedPlaces {
  /** The columns of the index, qualified where another table has them. */
  readonly owner: string;
  readonly place: string;
  /**
   * Whether the owner is asked for by equality as well, for ranges that are short or near the owner's first row in their order: the planner then knows how many
   * rows an owner has, and an index with a column between the two, for which the statement asks by equality, is used.
   */
  readonly byEquality?: boolean;
}

type OwnedEnds = Partial<Record<"<" | "<=" | ">", string>>;

/** The table, to stand behind `from`, for the rows of the owner that a `?` binds: the next one. */
export function ownedBy(table: string): SqlText {
  return { sqlite: table, postgres: `(select cast(? as bigint) as owner) as given cross join ${table}` };
}

const bound: SqlText = { sqlite: "?", postgres: "given.owner" };

/**
 * The condition for the rows within the ends of that owner, or of `given`, an expression without parameters. It stands first behind `where`; the order must be
 * `inOwnedOrder`, and should have a limit.
 */
export function inOwnedRange(
  { owner, place, byEquality = false }: OwnedPlaces,
  within: OwnedEnds,
  given: SqlText | string = bound,
): SqlText {
  const ends = Object.entries(within);
  const is = sql`${given}`;
  const open = [">", "<"].filter((side) => !ends.some(([sign]) => sign.startsWith(side)));
  return {
    sqlite: [`${owner} = ${is.sqlite}`, ...ends.map(([sign, end]) => `${place} ${sign} ${end}`)].join(" and "),
    postgres: [
      ...ends.map(([sign, end]) => `(${owner}, ${place}) ${sign} (${is.postgres}, ${end})`),
      // The whole of an owner begins at its first row anyway.
      ...(byEquality || ends.length === 0
        ? [`${owner} = any(array[${is.postgres}])`]
        : open.map((side) => `${owner} ${side}= ${is.postgres}`)),
    ].join(" and "),
  };
}

/** The `order by` expressions. */
export function inOwnedOrder({ owner, place }: OwnedPlaces, direction: "asc" | "desc" = "asc"): SqlText {
  return { sqlite: `${place} ${direction}`, postgres: `${owner} ${direction}, ${place} ${direction}` };
}
