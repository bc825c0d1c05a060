/** The state of the text index of contacts, a single row. The index itself is created by a migration, where the database has one. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../storage/columns.ts";

export const ContactTextIndex = defineEntity({
  name: "ContactTextIndex",
  tableName: "contact_text_index",
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    /** The position in the event log up to which the index contains all changes. */
    position: p.type(Integer).default(0),
    /** While it is built: the last contact that was added; null once all are. */
    builtTo: p.type(Integer).nullable(),
  },
});
