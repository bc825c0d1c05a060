/** Opportunities as neighbours of their contact. */
import type { ContactNeighbour } from "../contact-neighbour.ts";

export const opportunityNeighbour: ContactNeighbour = {
  name: "opportunities",
  columns: ["opportunities.contact_id"],
  forget: "kept",
};
