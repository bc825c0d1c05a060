/** The table of erasures: the contact whose person is forgotten, how far that is, and the receipt. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { Location } from "../../tenancy/locations/location.entity.ts";
import { Contact } from "../contact.entity.ts";

export const ContactErasure = defineEntity({
  name: "ContactErasure",
  tableName: "contact_erasures",
  indexes: [
    {
      name: "contact_erasures_running",
      expression: 'create index "contact_erasures_running" on "contact_erasures" ("id") where "finished_at" is null',
    },
  ],
  uniques: [{ name: "contact_erasures_contact", properties: ["contact"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    location: () => p.manyToOne(Location).deleteRule("cascade").index(false),
    contact: () => p.manyToOne(Contact).deleteRule("cascade").index(false),
    /** A JSON list of ids: the contact, and all that were merged into it. */
    contactIds: p.text(),
    /** The step that it is at (erasure.steps.ts), the place in `contactIds`, and the last id there that is done. */
    step: p.text(),
    place: p.type(Integer).default(0),
    reached: p.type(Integer).default(0),
    /** A JSON object: noun → number of records. */
    removed: p.text(),
    startedAt: p.datetime(3),
    finishedAt: p.datetime(3).nullable(),
  },
});
