/** The events of tasks. */
import { addedValue, defineEvent } from "../../events/define-event.ts";
import { taskSpecimen, taskView } from "./task.view.ts";

export const taskCreated = defineEvent("task.created", taskView, taskSpecimen, ({ title }) => [
  addedValue("task", title),
]);

export const taskCompleted = defineEvent(
  "task.completed",
  taskView,
  { ...taskSpecimen, completed_at: "2026-03-02T09:00:00.000Z" },
  ({ title }) => [addedValue("task", title)],
);
