/** The names of opportunities in a text index. */
import { defineRecordNames } from "../text-index/record-names.ts";

export const opportunityNames = defineRecordNames({
  table: "opportunities",
  column: "name",
  indexTable: "opportunity_texts",
});
