/** The state of the text indexes, a row each, and names that their indexes lack. The indexes themselves are created by migrations, where the database has them. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";

export const TextIndex = defineEntity({
  name: "TextIndex",
  tableName: "text_indexes",
  properties: {
    /** Which one: `textIndexIds` (text-index.ts). */
    id: p.type(Integer).primary().autoincrement(),
    /** The position in the event log up to which the index contains all changes; 0 for one that follows `unindexed_names`. */
    position: p.type(Integer).default(0),
    /** While it is built: the last record that was added; null once all are. */
    builtTo: p.type(Integer).nullable(),
  },
});

/** A record whose name was set, changed or removed since the index was updated. Renaming raises no event, so the event log does not tell. */
export const UnindexedName = defineEntity({
  name: "UnindexedName",
  tableName: "unindexed_names",
  indexes: [{ name: "unindexed_names_of_location", properties: ["indexId", "locationId"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    /** The index that lacks it: `textIndexIds`. */
    indexId: p.type(Integer),
    locationId: p.type(Integer),
    /** It may be deleted since. */
    recordId: p.type(Integer),
  },
});
