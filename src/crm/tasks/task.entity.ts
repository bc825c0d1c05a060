/** The table of tasks, most of which belong to a contact. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { Location } from "../../tenancy/locations/location.entity.ts";
import { User } from "../../tenancy/users/user.entity.ts";
import { Contact } from "../contact.entity.ts";

/** A partial index: tasks for which `where` does not hold are written without it. */
function some(where: string, name: string, columns: string): { name: string; expression: string } {
  return { name, expression: `create index "${name}" on "tasks" (${columns}) where ${where}` };
}

const isOpen = '"completed_at" is null';
const isAssigned = '"assignee_id" is not null';

export const Task = defineEntity({
  name: "Task",
  tableName: "tasks",
  indexes: [
    { name: "tasks_of_location", properties: ["location", "dueAt", "id"] },
    some(isOpen, "tasks_open_of_location", '"location_id", "due_at", "id"'),
    some(isOpen, "tasks_open_of_contact", '"contact_id", "due_at", "id"'),
    some(`${isOpen} and ${isAssigned}`, "tasks_open_assigned", '"assignee_id", "location_id", "due_at", "id"'),
    { name: "tasks_of_contact", properties: ["contact", "id"] },
    some(isAssigned, "tasks_assigned", '"assignee_id", "location_id", "due_at", "id"'),
    some('"created_by_id" is not null', "tasks_of_creator", '"created_by_id"'),
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    location: () => p.manyToOne(Location).deleteRule("restrict").index(false),
    contact: () => p.manyToOne(Contact).nullable().deleteRule("cascade").index(false),
    title: p.text(),
    /** noDueDate, the maximum, for a task without a due date, so that it sorts last. */
    dueAt: p.datetime(3),
    completedAt: p.datetime(3).nullable(),
    assignee: () => p.manyToOne(User).nullable().deleteRule("set null").index(false),
    /** The creator; for an app, the person who installed it; null for an API key or a workflow. */
    createdBy: () => p.manyToOne(User).nullable().deleteRule("set null").index(false),
    createdAt: p.datetime(3),
  },
});
