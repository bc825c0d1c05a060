/** Conditions whose contacts are found before the list is read: of several, the one with the fewest decides. */
import type { Conditions } from "../contact.filters.sql.ts";

/** The most contacts, or their tags or values, that are found first: reading more takes longer than a slice of the ordered scan. */
export const mostFoundFirst = 5000;

/** The shortest list that `findOf` gives for a condition; undefined if each has too many, or there is no condition. */
export async function findFewest(
  conditions: readonly Conditions[],
  findOf: (condition: Conditions) => Promise<number[] | undefined>,
): Promise<number[] | undefined> {
  const found = await Promise.all(conditions.map(findOf));
  return found.filter((ids) => ids !== undefined).toSorted((one, other) => one.length - other.length)[0];
}

/** The ids without repetitions; undefined if there are too many. */
export function idsOfFew(rows: readonly { readonly id: number }[]): number[] | undefined {
  return rows.length > mostFoundFirst ? undefined : [...new Set(rows.map(({ id }) => id))];
}
