/** Applied tags as neighbours of their contact. */
import type { ContactNeighbour } from "../contact-neighbour.ts";

export const tagNeighbour: ContactNeighbour = { name: "tags", columns: ["contact_tags.contact_id"], forget: "kept" };
