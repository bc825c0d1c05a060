/** The rows of custom values that a batch of contacts writes. */
import type { Change, LocationContext } from "../../../events/caller.ts";
import { defineInsert, sendRows } from "../../../storage/inserting/insert.ts";
import { placeholders } from "../../../storage/rows.ts";
import { toStoredValues } from "../../custom-fields/custom-value.ts";
import type { BatchContact } from "./contact.index.ts";

/** As many values as most contacts have. */
const preparedRows = 20;

const valueInsert = defineInsert("custom_values", [
  "contact_id",
  "field_id",
  "location_id",
  "value",
  "key",
  "long_key",
]);

/** Replaces the values of these fields by those of the contact's state. Its members have every defined field. */
export function writeValues(
  change: Change<LocationContext>,
  created: readonly BatchContact[],
  replaced: ReadonlyMap<BatchContact, ReadonlySet<number>>,
): void {
  for (const [{ id }, fields] of replaced) {
    change.sendOnce(`delete from custom_values where contact_id = ? and field_id in (${placeholders(fields.size)})`, [
      id!,
      ...fields,
    ]);
  }
  const rows = [
    ...created.flatMap((contact) => rowsOf(change, contact, () => true)),
    ...[...replaced].flatMap(([contact, fields]) => rowsOf(change, contact, (id) => fields.has(id))),
  ];
  if (rows.length > 0) sendRows(change, valueInsert, rows, { prepared: preparedRows });
}

function rowsOf(
  { location }: Change<LocationContext>,
  { id, state }: BatchContact,
  isWritten: (id: number) => boolean,
) {
  return state.custom_fields.members.flatMap((member) =>
    isWritten(member.id)
      ? toStoredValues(member).map((stored) => ({
          contact_id: id!,
          field_id: member.id,
          location_id: location.id,
          ...stored,
        }))
      : [],
  );
}
