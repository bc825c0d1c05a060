/** The table of workspaces. A workspace is a company, and owns all other records. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";

export const Workspace = defineEntity({
  name: "Workspace",
  tableName: "workspaces",
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    name: p.text(),
    createdAt: p.datetime(3),
  },
});
