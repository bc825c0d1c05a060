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
    /** The characters of the body that a contact shows. */
    body: p.text(),
    pinned: p.boolean(),
    /** Who wrote it: where an app did, the person who let it in; null for an API key or a workflow. */
    user: () => p.manyToOne(User).nullable().deleteRule("set null").index("notes_user"),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    /** The characters that follow: behind all others, so that neither they nor their pages are read with the rest of the row. */
    bodyRest: p.text().nullable(),
  },
});
