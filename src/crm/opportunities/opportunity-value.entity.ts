/** The table of custom values of opportunities: the columns of custom_values, with an opportunity in place of the contact (ADR 86). */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { CustomField } from "../custom-fields/custom-field.entity.ts";
import { Opportunity } from "./opportunity.entity.ts";

export const OpportunityValue = defineEntity({
  name: "OpportunityValue",
  tableName: "opportunity_values",
  uniques: [{ name: "opportunity_values_once", properties: ["opportunity", "field", "key"] }],
  indexes: [{ name: "opportunity_values_by_key", properties: ["field", "locationId", "key", "opportunity"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    opportunity: () => p.manyToOne(Opportunity).deleteRule("cascade").index(false),
    field: () => p.manyToOne(CustomField).createForeignKeyConstraint(false).index(false),
    /** That of the opportunity, for the index. */
    locationId: p.type(Integer),
    /** As JSON. */
    value: p.text(),
    /** As in custom_values: migrations set the collation on PostgreSQL. */
    key: p.text().ignoreSchemaChanges("collation"),
    /** The full folded text, if it is longer than the key. */
    longKey: p.text().nullable(),
  },
});
