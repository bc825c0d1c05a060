/** Rows that violate a foreign key, as other programs may leave them behind. */
import { findBrokenForeignKeys } from "../../storage/inspection/damage.ts";
import type { UncheckedReference } from "../../storage/inspection/damage.ts";
import { failure, listOf, ok } from "../check.ts";
import type { Check, Data } from "../check.ts";

/** What the changes guarantee without a foreign key (ADR 86). */
const uncheckedReferences: readonly UncheckedReference[] = [
  { table: "custom_values", column: "contact_id", parent: "contacts" },
  { table: "custom_values", column: "field_id", parent: "custom_fields" },
  { table: "opportunity_values", column: "field_id", parent: "custom_fields" },
];

export const foreignKeys: Check<Data> = {
  name: "foreign keys",
  async examine({ database }) {
    const found = await findBrokenForeignKeys(database, uncheckedReferences);
    return found.length === 0
      ? ok("every foreign key holds")
      : failure(listOf(found), "restore the newest backup (crm restore), or remove these rows by hand");
  },
};
