/** The tables of pipelines and of their stages. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { Location } from "../../tenancy/locations/location.entity.ts";
import { stageKinds } from "../../vocabulary/states.ts";

export const Pipeline = defineEntity({
  name: "Pipeline",
  tableName: "pipelines",
  indexes: [{ name: "pipelines_of_location", properties: ["location", "id"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    location: () => p.manyToOne(Location).deleteRule("restrict").index(false),
    name: p.text(),
    createdAt: p.datetime(3),
  },
});

export const Stage = defineEntity({
  name: "Stage",
  tableName: "stages",
  uniques: [{ name: "stages_of_pipeline", properties: ["pipeline", "place"] }],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    pipeline: () => p.manyToOne(Pipeline).deleteRule("cascade").index(false),
    /** The position in the pipeline, from 1. */
    place: p.type(Integer),
    name: p.text(),
    kind: p.enum(stageKinds),
    color: p.text().nullable(),
  },
});
