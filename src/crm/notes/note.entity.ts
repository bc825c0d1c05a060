/** The table of notes on contacts. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { User } from "../../tenancy/users/user.entity.ts";
import { Contact } from "../contact.entity.ts";

export const Note = defineEntity({
  name: "Note",
  tableName: "notes",
  indexes: [{ name: "notes_of_contact", properties: ["contact", "id"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    contact: () => p.manyToOne(Contact).deleteRule("cascade").index(false),
    /** The beginning of the text, as contacts show it. */
    body: p.text(),
    pinned: p.boolean(),
    /** The author; for an app, the person who installed it; null for an API key or a workflow. */
    user: () => p.manyToOne(User).nullable().deleteRule("set null").index("notes_user"),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    /** The rest of the text. The last column, so that its overflow pages are not read with the rest of the row. */
    bodyRest: p.text().nullable(),
  },
});
