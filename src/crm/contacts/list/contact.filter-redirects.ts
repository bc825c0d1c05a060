/** Filters that name a merged contact by its id or external_ref find the contact that it was merged into. */
import type { LocationContext, Reader } from "../../../events/caller.ts";
import { findSurvivor, findSurvivors } from "../../contact-redirects.ts";
import { findReferences } from "../contact.queries.ts";
import type { Condition, ContactFilters } from "./contact.filters.ts";

/** Adds a condition on the id beside each one that names merged contacts. Queries only for filters by id or external_ref. */
export async function withRedirects(reader: Reader<LocationContext>, filters: ContactFilters): Promise<ContactFilters> {
  if (!filters.some((group) => group.some(namesContacts))) return filters;
  return Promise.all(filters.map(async (group) => [...group, ...(await redirectsOf(reader, group))]));
}

function namesContacts({ field, op }: Condition): boolean {
  return (field === "id" || field === "external_ref") && (op === "eq" || op === "in");
}

async function redirectsOf(reader: Reader<LocationContext>, group: readonly Condition[]): Promise<Condition[]> {
  const naming = group.filter(namesContacts);
  if (naming.length === 0) return [];
  const valuesOf = (name: Condition["field"]) => naming.flatMap(({ field, values }) => (field === name ? values : []));
  const named = await findReferences(reader, valuesOf("external_ref") as string[]);
  const merged = await findSurvivors(reader, [...(valuesOf("id") as number[]), ...named.map(({ id }) => id)]);
  const values = await Promise.all([...merged].map(async ([, next]) => (await findSurvivor(reader, next)) ?? next));
  return values.length === 0 ? [] : [{ field: "id", op: "in", values }];
}
