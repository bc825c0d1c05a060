/** The operations of tasks. */
import { z } from "zod";
import { lockedByChange, operation } from "../../operation/operation.ts";
import { shownRecord } from "../../operation/shown-record.ts";
import { Refusal } from "../../vocabulary/errors.ts";
import * as queries from "./task.queries.ts";
import { taskInput, taskListQuery, taskPatch } from "./task.schema.ts";
import * as service from "./task.service.ts";
import { taskListView, taskView, toTask } from "./task.view.ts";

const taskRecord = shownRecord({
  gives: taskView,
  lock: (change, { task }: { task: number }) => service.lockTask(change, task),
  async read(reader, { task }) {
    const row = await queries.findTask(reader, task);
    if (row === undefined) throw new Refusal("task.not_found");
    return toTask(row, reader.tools.clock.now().getTime());
  },
});

export const listTasks = operation({
  name: "listTasks",
  summary: "Lists tasks, ordered by due date.",
  noun: "Tasks",
  may: { scope: "tasks.readonly", role: "member" },
  query: taskListQuery,
  gives: taskListView,
  read: async (reader, { query }) => await queries.listTasks(reader, query),
});

export const createTask = operation({
  name: "createTask",
  summary: "Creates a task, with or without a contact.",
  noun: "Tasks",
  may: { scope: "tasks.write", role: "member" },
  input: taskInput,
  record: taskRecord,
  gives: taskView,
  change: async (change, { input }) => toTask(await service.createTask(change, input), change.now.getTime()),
});

export const getTask = operation({
  name: "getTask",
  summary: "Returns a task.",
  noun: "Tasks",
  may: { scope: "tasks.readonly", role: "member" },
  find: { task: queries.findTask },
  record: taskRecord,
  gives: taskView,
  read: async (reader, { task }) => toTask(task, reader.tools.clock.now().getTime()),
});

export const updateTask = operation({
  name: "updateTask",
  summary: "Updates the given fields of a task; also completes or reopens it.",
  noun: "Tasks",
  may: { scope: "tasks.write", role: "member" },
  find: { task: lockedByChange(queries.findTask) },
  input: taskPatch,
  record: taskRecord,
  gives: taskView,
  change: async (change, { task, input }) =>
    toTask(await service.updateTask(change, task.id, input), change.now.getTime()),
});

export const deleteTask = operation({
  name: "deleteTask",
  summary: "Deletes a task.",
  noun: "Tasks",
  may: { scope: "tasks.write", role: "member" },
  find: { task: lockedByChange(queries.findTask) },
  input: z.object({}),
  record: taskRecord,
  gives: null,
  change: (change, { task }) => service.deleteTask(change, task.id),
});
