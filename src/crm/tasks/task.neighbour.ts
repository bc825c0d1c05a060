/** Tasks as neighbours of their contact, which shows the next of them. */
import { moveRows } from "../contact-neighbour.ts";
import type { ContactNeighbour } from "../contact-neighbour.ts";
import { updateProjection } from "../workflow-goals.ts";
import { listTasks } from "./task.queries.ts";
import { nextTaskProjection } from "./task.service.ts";

const moveTasks = moveRows("tasks.contact_id");

export const taskNeighbour: ContactNeighbour = {
  name: "tasks",
  column: "tasks.contact_id",
  forget: "kept",
  async move(change, step) {
    const moved = await moveTasks(change, step);
    if (moved > 0) updateProjection(change, step.to.id, nextTaskProjection);
    return moved;
  },
  export: (reader, contactId, query) => listTasks(reader, { ...query, contact_id: contactId }),
};
