/** The table of tasks: what somebody has to do, mostly for a contact. */
import { defineEntity, p } from "@mikro-orm/core";
import { Integer } from "../../storage/columns.ts";
import { Location } from "../../tenancy/locations/location.entity.ts";
import { User } from "../../tenancy/users/user.entity.ts";
import { Contact } from "../contact.entity.ts";

/** What is asked for are open tasks: the indexes of their lists leave out the others. */
function open(name: string, columns: string): { name: string; expression: string } {
  return { name, expression: `create index "${name}" on "tasks" (${columns}) where "completed_at" is null` };
}

export const Task = defineEntity({
  name: "Task",
  tableName: "tasks",
  indexes: [
    { name: "tasks_of_location", properties: ["location", "dueAt", "id"] },
    open("tasks_open_of_location", '"location_id", "due_at", "id"'),
    open("tasks_open_of_contact", '"contact_id", "due_at", "id"'),
    open("tasks_open_of_assignee", '"assignee_id", "location_id", "due_at", "id"'),
    { name: "tasks_of_contact", properties: ["contact", "id"] },
    { name: "tasks_of_assignee", properties: ["assignee", "location", "dueAt", "id"] },
  ],
  properties: {
    id: p.type(Integer).primary().autoincrement(),
    location: () => p.manyToOne(Location).deleteRule("restrict").index(false),
    contact: () => p.manyToOne(Contact).nullable().deleteRule("cascade").index(false),
    title: p.text(),
    /** The end of time (noDueDate) for a task that is due at none, so that it comes last in every order. */
    dueAt: p.datetime(3),
    completedAt: p.datetime(3).nullable(),
    assignee: () => p.manyToOne(User).nullable().deleteRule("set null").index(false),
    /** Who made it: where an app did, the person who let it in; null for an API key or a workflow. */
    createdBy: () => p.manyToOne(User).nullable().deleteRule("set null").index("tasks_created_by"),
    createdAt: p.datetime(3),
  },
});
