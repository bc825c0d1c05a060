/** Notes as neighbours of their contact. */
import { moveRange } from "../contact-neighbour.ts";
import type { ContactNeighbour } from "../contact-neighbour.ts";
import { listNotes } from "./note.queries.ts";

export const noteNeighbour: ContactNeighbour = {
  name: "notes",
  column: "notes.contact_id",
  forget: "kept",
  move: moveRange("notes.contact_id"),
  export: listNotes,
};
