/** The custom fields of an opportunity in a change: read from the input, and written as rows. */
import type { Change, LocationContext } from "../../events/caller.ts";
import { defineInsert, sendRows } from "../../storage/inserting/insert.ts";
import { placeholders } from "../../storage/rows.ts";
import { Invalid } from "../../vocabulary/errors.ts";
import { limits } from "../../vocabulary/limits.ts";
import {
  changedMembers,
  findDefinitions,
  isTooLong,
  mergeMembers,
  readItemFields,
} from "../custom-fields/custom-input.ts";
import type { ItemFields } from "../custom-fields/custom-input.ts";
import { toStoredValues } from "../custom-fields/custom-value.ts";
import type { CustomField, CustomMember } from "../custom-fields/custom-value.ts";

export interface GivenValues {
  readonly defined: readonly CustomField[];
  /** Undefined if the input has none. */
  readonly item: ItemFields | undefined;
}

export const noValues: GivenValues = { defined: [], item: undefined };

/** Reads the custom fields of an input; locks their definitions if it has any. */
export async function readGivenValues(
  change: Change<LocationContext>,
  input: { readonly custom_fields?: Readonly<Record<string, unknown>> | null | undefined },
  { creates }: { readonly creates: boolean },
): Promise<GivenValues> {
  const defined = await findDefinitions(change, [input], { subject: "opportunity", creates });
  return { defined, item: readItemFields(defined, input.custom_fields) };
}

/** The members after the input. Refuses, on `custom_fields`, values that are too long together. */
export function applyValues(before: readonly CustomMember[], { defined, item }: GivenValues): readonly CustomMember[] {
  const after = mergeMembers(before, defined, item);
  if (changedMembers(before, after).length > 0 && isTooLong(after)) {
    const most = limits.customField.characters;
    throw new Invalid({
      custom_fields: [`The custom fields of an opportunity can have ${most} characters at most, as JSON.`],
    });
  }
  return after;
}

/** As many values as most opportunities have. */
const preparedRows = 20;

const valueInsert = defineInsert("opportunity_values", [
  "opportunity_id",
  "field_id",
  "location_id",
  "value",
  "key",
  "long_key",
]);

/** Writes the values of a new opportunity. */
export function insertValues(change: Change<LocationContext>, id: number, members: readonly CustomMember[]): void {
  const rows = members.flatMap((member) =>
    toStoredValues(member).map((stored) => ({
      opportunity_id: id,
      field_id: member.id,
      location_id: change.location.id,
      ...stored,
    })),
  );
  if (rows.length > 0) sendRows(change, valueInsert, rows, { prepared: preparedRows });
}

/** Replaces the values that the input gives. */
export function replaceValues(
  change: Change<LocationContext>,
  id: number,
  { item }: GivenValues,
  after: readonly CustomMember[],
): void {
  const fields = [...(item?.values.keys() ?? [])];
  if (fields.length === 0) return;
  change.sendOnce(
    `delete from opportunity_values where opportunity_id = ? and field_id in (${placeholders(fields.length)})`,
    [id, ...fields],
  );
  insertValues(
    change,
    id,
    after.filter((member) => fields.includes(member.id)),
  );
}
