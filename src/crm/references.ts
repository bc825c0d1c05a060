/** Reads the records that a body names: what does not belong to the location is told on its field, all of them at once. */
import type { LocationContext, Reader } from "../events/caller.ts";
import { findUsersWithAccess } from "../tenancy/users/user.queries.ts";
import { Invalid } from "../vocabulary/errors.ts";
import type { FieldErrors } from "../vocabulary/errors.ts";

/** What an id in a body may name. One that is held until the commit takes a change to be looked up. */
export interface Reference<Found, in Asker = Reader<LocationContext>> {
  readonly find: (reader: Asker, id: number) => Promise<Found | undefined>;
  /** Ends the sentence that refuses any other id, such as "must name a contact of the location." */
  readonly predicate: string;
}

type ReferencedRecords<References> = {
  readonly [Field in keyof References]: References[Field] extends Reference<infer Record, never>
    ? Record | null
    : never;
};

/**
 * The records that `given` names, by field; null where a field is null or left out. Refuses with 422, and never 404, every field
 * whose id names nothing of the location (specification, "Errors": not-found codes are for ids in the path). A handful of fields at
 * the most: each is a look-up of its own, in their order. `judge` tells what is wrong with those that were found, or beside them, so
 * that it is told at once with the others.
 */
export async function readReferences<
  Asker extends Reader<LocationContext>,
  const References extends Readonly<Record<string, Reference<unknown, Asker>>>,
>(
  reader: Asker,
  given: { readonly [Field in keyof References]?: number | null | undefined },
  references: References,
  judge: (found: Partial<ReferencedRecords<References>>) => FieldErrors = () => ({}),
): Promise<ReferencedRecords<References>> {
  const found: Record<string, unknown> = {};
  const errors: FieldErrors = {};
  for (const [field, { find, predicate }] of Object.entries(references)) {
    const id = given[field] ?? null;
    const record = id === null ? null : await find(reader, id);
    if (record === undefined) errors[field] = [`The ${field.replaceAll("_", " ")} field ${predicate}`];
    else found[field] = record;
  }
  Object.assign(errors, judge(found as Partial<ReferencedRecords<References>>));
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
  return found as ReferencedRecords<References>;
}

/** Somebody who has access to the location: whom records may be given to. */
export const personWithAccess: Reference<{ id: number; name: string }> = {
  async find(reader, id) {
    const name = (await findUsersWithAccess(reader, new Set([id]))).get(id);
    return name === undefined ? undefined : { id, name };
  },
  predicate: "must name a person who has access to the location.",
};
