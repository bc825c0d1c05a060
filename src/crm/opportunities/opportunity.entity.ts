/** The table of opportunities: a potential sale to a contact, and its stage. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { Location } from "../../tenancy/locations/location.entity.ts";
import { User } from "../../tenancy/users/user.entity.ts";
import { stageKinds } from "../../vocabulary/states.ts";
import { Contact } from "../contact.entity.ts";
import { Pipeline, Stage } from "../pipelines/pipeline.entity.ts";

export const Opportunity = defineEntity({
  name: "Opportunity",
  tableName: "opportunities",
  indexes: [
    // The order of the list, and the same for each of its filters.
    { name: "opportunities_of_location", properties: ["location", "id"] },
    { name: "opportunities_by_status", properties: ["location", "status", "id"] },
    { name: "opportunities_of_contact", properties: ["contact", "id"] },
    { name: "opportunities_of_pipeline", properties: ["pipeline", "id"] },
    { name: "opportunities_of_stage", properties: ["stage", "id"] },
    {
      name: "opportunities_owned",
      expression:
        'create index "opportunities_owned" on "opportunities" ("owner_id", "location_id", "id") where "owner_id" is not null',
    },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    location: () => p.manyToOne(Location).deleteRule("restrict").index(false),
    contact: () => p.manyToOne(Contact).deleteRule("cascade").index(false),
    /** The pipeline of the stage. */
    pipeline: () => p.manyToOne(Pipeline).deleteRule("restrict").index(false),
    stage: () => p.manyToOne(Stage).deleteRule("restrict").index(false),
    /** The kind of the stage. */
    status: p.enum(stageKinds),
    name: p.text().nullable(),
    valueCents: p.type(Integer),
    owner: () => p.manyToOne(User).nullable().deleteRule("set null").index(false),
    lostReason: p.text().nullable(),
    stageEnteredAt: p.datetime(3),
    closedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});
