/** Conversations as neighbours of their contact: they stay, and its deletion removes its name and address from their search key (ADR 35). */
import type { ContactNeighbour } from "../contact-neighbour.ts";
import { updateSearchKeys } from "./conversation.search.ts";

export const conversationNeighbour: ContactNeighbour = {
  name: "conversations",
  columns: ["conversations.contact_id", "conversations.possible_match_id"],
  forget: (change, { id }) => updateSearchKeys(change, [id]),
};
