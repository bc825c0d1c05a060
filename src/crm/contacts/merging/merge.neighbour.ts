/** Earlier merges as neighbours of the contact that remains: when it is merged itself, they refer to the next one. */
import { moveRows } from "../../contact-neighbour.ts";
import type { ContactNeighbour } from "../../contact-neighbour.ts";

export const mergeNeighbour: ContactNeighbour = {
  name: "merges",
  column: "contact_merges.contact_id",
  forget: "kept",
  move: moveRows("contact_merges.contact_id"),
  export: "hidden",
};
