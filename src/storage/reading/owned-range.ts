/**
 * Ranges of the rows of one owner, such as a location, in an order that another index gives for the rows of all owners together. PostgreSQL expects an
 * owner to have its share of any thousand rows, and would read those of all others on the way to the few of a small one. Rows compared with rows, which
 * the other index cannot answer, keep it to the index of owner and place. SQLite takes that one by itself.
 */
import { sql } from "../sql-text.ts";
import type { SqlText } from "../sql-text.ts";

export interface OwnedPlaces {
  /** The columns of the index, qualified where another table has them. */
  readonly owner: string;
  readonly place: string;
}

type OwnedEnds = Partial<Record<"<" | "<=" | ">", string>>;

/** A table of the owner that a `?` binds, to stand behind `from`, before the table of the rows. */
export const givenOwner: SqlText = sql`(select cast(? as bigint) as owner) as given`;

/** The condition for the rows of `given`, an expression without parameters, within the ends; the order must be `inOwnedOrder`, and should have a limit. */
export function inOwnedRange({ owner, place }: OwnedPlaces, given: string, within: OwnedEnds): SqlText {
  const ends = Object.entries(within);
  return {
    sqlite: [`${owner} = ${given}`, ...ends.map(([sign, end]) => `${place} ${sign} ${end}`)].join(" and "),
    postgres: [
      `${owner} = any(array[${given}])`,
      ...ends.map(([sign, end]) => `(${owner}, ${place}) ${sign} (${given}, ${end})`),
    ].join(" and "),
  };
}

/** The `order by` expressions. */
export function inOwnedOrder({ owner, place }: OwnedPlaces, direction: "asc" | "desc" = "asc"): SqlText {
  return { sqlite: `${place} ${direction}`, postgres: `${owner} ${direction}, ${place} ${direction}` };
}
