/** The endpoints of tasks. */
import { endpoint, heldById, reply } from "../../http/endpoint.ts";
import { findTask, listTasks } from "./task.queries.ts";
import { taskInput, taskListQuery, taskPatch } from "./task.schema.ts";
import { createTask, updateTask } from "./task.service.ts";
import { taskListView, taskView, toTask } from "./task.view.ts";

export const taskRoutes = [
  endpoint({
    method: "GET",
    path: "/tasks",
    operationId: "listTasks",
    summary: "Lists tasks, those that are due first before the others.",
    tag: "Tasks",
    scope: "tasks.readonly",
    query: taskListQuery,
    replies: { 200: taskListView },
    read: async (reader, { query }) => reply(200, await listTasks(reader, query)),
  }),
  endpoint({
    method: "POST",
    path: "/tasks",
    operationId: "createTask",
    summary: "Makes a task, for a contact or for nobody.",
    tag: "Tasks",
    scope: "tasks.write",
    input: taskInput,
    replies: { 201: taskView },
    change: async (change, { input }) => reply(201, toTask(await createTask(change, input), change.now.getTime())),
  }),
  endpoint({
    method: "PATCH",
    path: "/tasks/{id}",
    operationId: "updateTask",
    summary: "Changes the given fields of a task, completes it or opens it again.",
    tag: "Tasks",
    scope: "tasks.write",
    find: { task: heldById("id", findTask) },
    input: taskPatch,
    replies: { 200: taskView },
    change: async (change, { task, input }) =>
      reply(200, toTask(await updateTask(change, task.id, input), change.now.getTime())),
  }),
];
