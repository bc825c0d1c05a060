/** The tables of tags. Tags belong to the workspace and are applied to contacts. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { Workspace } from "../../tenancy/workspaces/workspace.entity.ts";
import { Contact } from "../contact.entity.ts";

export const Tag = defineEntity({
  name: "Tag",
  tableName: "tags",
  uniques: [{ name: "tags_name", properties: ["workspace", "nameKey"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    workspace: () => p.manyToOne(Workspace).deleteRule("restrict").index(false),
    name: p.text(),
    /** Ordered bytewise on both databases: migrations set the collation on PostgreSQL; on SQLite it is the default. */
    nameKey: p.text().ignoreSchemaChanges("collation"),
    /** The full folded name, if it is longer than the key (src/kit/text-key.ts). */
    longKey: p.text().nullable(),
    color: p.text().nullable(),
    createdAt: p.datetime(3),
  },
});

export const ContactTag = defineEntity({
  name: "ContactTag",
  tableName: "contact_tags",
  uniques: [{ name: "contact_tags_once", properties: ["contact", "tag"] }],
  indexes: [{ name: "contact_tags_of_tag", properties: ["tag", "contact"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    contact: () => p.manyToOne(Contact).deleteRule("cascade").index(false),
    tag: () => p.manyToOne(Tag).deleteRule("cascade").index(false),
    createdAt: p.datetime(3),
  },
});
