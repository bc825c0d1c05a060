/** The table of workspaces. A workspace is a company, and owns all other records. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";

export const Workspace = defineEntity({
  name: "Workspace",
  tableName: "workspaces",
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    name: p.text(),
    /** Members without two-factor sign-in reach nothing of it in the browser. */
    twoFactorRequired: p.boolean().default(false),
    /** Set with the first custom field, and kept: where it is false, the write path of contacts reads no definitions. */
    hasCustomFields: p.boolean().default(false),
    createdAt: p.datetime(3),
  },
});
