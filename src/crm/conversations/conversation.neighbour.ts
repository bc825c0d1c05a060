/** Conversations as neighbours of their contact: they stay, and its deletion removes its name and address from their search key (ADR 35). */
import { moveRows } from "../contact-neighbour.ts";
import type { ContactNeighbour } from "../contact-neighbour.ts";
import { listConversations } from "./conversation.list.ts";
import { searchKeyOfContact, updateSearchKeys } from "./conversation.search.ts";

export const conversationNeighbour: ContactNeighbour = {
  name: "conversations",
  column: "conversations.contact_id",
  forget: (change, { id }) => updateSearchKeys(change, [id]),
  move: moveRows("conversations.contact_id", `contact_key = ${searchKeyOfContact("?")}`),
  export: (reader, contactId, query) => listConversations(reader, { ...query, contact_id: contactId }),
};

/** Conversations with an unknown sender that the contact may be. */
export const possibleMatchNeighbour: ContactNeighbour = {
  name: "possible matches",
  column: "conversations.possible_match_id",
  forget: "kept",
  move: moveRows("conversations.possible_match_id"),
  export: "hidden",
};

/** Deleted mails to the contact. */
export const removedMailNeighbour: ContactNeighbour = {
  name: "removed mails",
  column: "removed_mails.contact_id",
  forget: "kept",
  move: moveRows("removed_mails.contact_id"),
  export: "hidden",
};
