/** Tasks as neighbours of their contact, which shows the next of them. */
import { moveRange } from "../contact-neighbour.ts";
import type { ContactNeighbour } from "../contact-neighbour.ts";
import { listTasks } from "./task.queries.ts";
import { nextTaskProjection } from "./task.service.ts";

export const taskNeighbour: ContactNeighbour = {
  name: "tasks",
  column: "tasks.contact_id",
  forget: "kept",
  projection: nextTaskProjection,
  move: moveRange("tasks.contact_id"),
  export: (reader, contactId, query) => listTasks(reader, { ...query, contact_id: contactId }),
};
