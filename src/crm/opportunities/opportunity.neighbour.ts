/** Opportunities as neighbours of their contact, which shows the stage and the value of one of them. */
import { moveRange } from "../contact-neighbour.ts";
import type { ContactNeighbour } from "../contact-neighbour.ts";
import { listOpportunities } from "./opportunity.queries.ts";
import { stageProjection } from "./opportunity.service.ts";

export const opportunityNeighbour: ContactNeighbour = {
  name: "opportunities",
  column: "opportunities.contact_id",
  forget: "kept",
  projection: stageProjection,
  move: moveRange("opportunities.contact_id"),
  export: (reader, contactId, query) => listOpportunities(reader, { ...query, contact_id: contactId }),
};
