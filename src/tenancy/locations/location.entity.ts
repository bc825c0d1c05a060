/** The table of locations: one business entity each, and the tenant boundary of its data. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { Workspace } from "../workspaces/workspace.entity.ts";

export const Location = defineEntity({
  name: "Location",
  tableName: "locations",
  indexes: [{ name: "locations_of_workspace", properties: ["workspace", "id"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    workspace: () => p.manyToOne(Workspace).deleteRule("restrict").index(false),
    name: p.text(),
    address1: p.text().default(""),
    city: p.text().default(""),
    state: p.text().default(""),
    zip: p.text().default(""),
    phonePublic: p.text().default(""),
    timezone: p.text(),
    website: p.text().default(""),
    /** ISO 3166-1 alpha-2; the default country for parsing phone numbers. */
    country: p.text(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});
