/** Notes as neighbours of their contact. */
import type { ContactNeighbour } from "../contact-neighbour.ts";

export const noteNeighbour: ContactNeighbour = { name: "notes", columns: ["notes.contact_id"], forget: "kept" };
