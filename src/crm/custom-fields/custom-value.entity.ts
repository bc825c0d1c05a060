/**
 * The table of custom values: one row per contact and field, of a multiselect one per chosen option (ADR 67). PostgreSQL has no foreign keys here, whose
 * checks would be a third of the cost of a row: the changes that write values hold the contact and the field (ADR 86).
 */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { Contact } from "../contact.entity.ts";
import { CustomField } from "./custom-field.entity.ts";

export const CustomValue = defineEntity({
  name: "CustomValue",
  tableName: "custom_values",
  uniques: [{ name: "custom_values_once", properties: ["contact", "field", "key"] }],
  indexes: [{ name: "custom_values_by_key", properties: ["field", "locationId", "key", "contact"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    contact: () => p.manyToOne(Contact).createForeignKeyConstraint(false).index(false),
    field: () => p.manyToOne(CustomField).createForeignKeyConstraint(false).index(false),
    /** That of the contact, for the index. */
    locationId: p.type(Integer),
    /** As JSON. */
    value: p.text(),
    /** Equal for equal values, and ordered bytewise as they are, on both databases: migrations set the collation on PostgreSQL. */
    key: p.text().ignoreSchemaChanges("collation"),
    /** The full folded text, if it is longer than the key (src/kit/text-key.ts). */
    longKey: p.text().nullable(),
  },
});
