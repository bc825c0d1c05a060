/** Tasks as neighbours of their contact. */
import type { ContactNeighbour } from "../contact-neighbour.ts";

export const taskNeighbour: ContactNeighbour = { name: "tasks", columns: ["tasks.contact_id"], forget: "kept" };
