/** The table of custom fields: fields of contacts and opportunities that a workspace defines itself. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { Workspace } from "../../tenancy/workspaces/workspace.entity.ts";
import { customFieldSubjects, customFieldTypes } from "../../vocabulary/custom-fields.ts";

export const CustomField = defineEntity({
  name: "CustomField",
  tableName: "custom_fields",
  uniques: [{ name: "custom_fields_key", properties: ["workspace", "subject", "key"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    workspace: () => p.manyToOne(Workspace).deleteRule("restrict").index(false),
    /** What the field is on. */
    subject: p.enum(customFieldSubjects),
    key: p.text(),
    name: p.text(),
    type: p.enum(customFieldTypes),
    /** A JSON list of texts; null unless values are chosen from options. */
    options: p.text().nullable(),
    createdAt: p.datetime(3),
  },
});
