/** Looks up the records that a body names by id. Reports every id that does not belong to the location, each on its field. */
import type { LocationContext, Reader } from "../events/caller.ts";
import { findUsersWithAccess } from "../tenancy/users/user.queries.ts";
import { Invalid } from "../vocabulary/errors.ts";
import type { FieldErrors } from "../vocabulary/errors.ts";

/** A foreign key in a body. A lookup that locks the record needs a change as its reader. */
export interface Reference<Found, in Asker = Reader<LocationContext>> {
  readonly find: (reader: Asker, id: number) => Promise<Found | undefined>;
  /** The predicate of the error for other ids, such as "must name a contact of the location." */
  readonly predicate: string;
}

type ReferencedRecords<References> = {
  readonly [Field in keyof References]: References[Field] extends Reference<infer Record, never>
    ? Record | null
    : never;
};

/**
 * The records that `ids` names, by field; null if the field is null or omitted. Refuses with 422, never 404, every field whose id is not a
 * record of the location (specification, "Errors": not-found codes are for ids in the path). One query per field, in order; there are only
 * a few. `validate` checks the records found; its errors are reported together with the others.
 */
export async function readReferences<
  Asker extends Reader<LocationContext>,
  const References extends Readonly<Record<string, Reference<unknown, Asker>>>,
>(
  reader: Asker,
  ids: { readonly [Field in keyof References]?: number | null | undefined },
  references: References,
  validate: (found: Partial<ReferencedRecords<References>>) => FieldErrors | Promise<FieldErrors> = () => ({}),
): Promise<ReferencedRecords<References>> {
  const found: Record<string, unknown> = {};
  const errors: FieldErrors = {};
  for (const [field, { find, predicate }] of Object.entries(references)) {
    const id = ids[field] ?? null;
    const record = id === null ? null : await find(reader, id);
    if (record === undefined) errors[field] = [`The ${field.replaceAll("_", " ")} field ${predicate}`];
    else found[field] = record;
  }
  Object.assign(errors, await validate(found as Partial<ReferencedRecords<References>>));
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
  return found as ReferencedRecords<References>;
}

/** A person with access to the location. Records can only be assigned to these people. */
export const personWithAccess: Reference<{ id: number; name: string }> = {
  async find(reader, id) {
    const name = (await findUsersWithAccess(reader, new Set([id]))).get(id);
    return name === undefined ? undefined : { id, name };
  },
  predicate: "must name a person who has access to the location.",
};
