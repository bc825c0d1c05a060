/** The operations of tasks. */
import { lockedByChange, operation } from "../../operation/operation.ts";
import * as queries from "./task.queries.ts";
import { taskInput, taskListQuery, taskPatch } from "./task.schema.ts";
import * as service from "./task.service.ts";
import { taskListView, taskView, toTask } from "./task.view.ts";

export const listTasks = operation({
  name: "listTasks",
  summary: "Lists tasks, those that are due first before the others.",
  noun: "Tasks",
  may: { scope: "tasks.readonly", role: "member" },
  query: taskListQuery,
  gives: taskListView,
  read: async (reader, { query }) => await queries.listTasks(reader, query),
});

export const createTask = operation({
  name: "createTask",
  summary: "Makes a task, for a contact or for nobody.",
  noun: "Tasks",
  may: { scope: "tasks.write", role: "member" },
  input: taskInput,
  gives: taskView,
  change: async (change, { input }) => toTask(await service.createTask(change, input), change.now.getTime()),
});

export const updateTask = operation({
  name: "updateTask",
  summary: "Changes the given fields of a task, completes it or opens it again.",
  noun: "Tasks",
  may: { scope: "tasks.write", role: "member" },
  find: { task: lockedByChange(queries.findTask) },
  input: taskPatch,
  gives: taskView,
  change: async (change, { task, input }) =>
    toTask(await service.updateTask(change, task.id, input), change.now.getTime()),
});
