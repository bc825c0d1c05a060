/** Opportunities as neighbours of their contact, which shows the stage and the value of one of them. */
import { moveRows } from "../contact-neighbour.ts";
import type { ContactNeighbour } from "../contact-neighbour.ts";
import { updateProjection } from "../workflow-goals.ts";
import { listOpportunities } from "./opportunity.queries.ts";
import { stageProjection } from "./opportunity.service.ts";

const moveOpportunities = moveRows("opportunities.contact_id");

export const opportunityNeighbour: ContactNeighbour = {
  name: "opportunities",
  column: "opportunities.contact_id",
  forget: "kept",
  async move(change, step) {
    const moved = await moveOpportunities(change, step);
    if (moved > 0) updateProjection(change, step.to.id, stageProjection);
    return moved;
  },
  export: (reader, contactId, query) => listOpportunities(reader, { ...query, contact_id: contactId }),
};
