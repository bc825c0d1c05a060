/** A task as text. */
import type { TaskView } from "../../src/crm/tasks/task.view.ts";
import { showMoment } from "./moments.ts";

/** One line: `task 7: Send the price list, due 2026-03-02 17:00, overdue`. */
export function describeTask({ id, title, due_at, overdue, completed_at }: TaskView, timeZone: string): string {
  const due = showMoment(due_at, timeZone);
  const parts = [title, ...(due === null ? [] : [`due ${due}`]), ...(overdue ? ["overdue"] : [])];
  return `task ${id}: ${[...parts, ...(completed_at === null ? [] : ["done"])].join(", ")}`;
}
