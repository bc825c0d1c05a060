/** `crm tasks reopen` */
import type { TaskView } from "../../src/crm/tasks/task.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class TasksReopen extends CrmCommand {
  static override description = "Reopens a completed task.";
  static override jsonResult = "the task";
  static override examples = [
    "<%= config.bin %> tasks reopen 7",
    "<%= config.bin %> tasks reopen 7 --location 2 --json",
  ];
  static override args = { id: idArgument("The task.") };
  static override flags = locationFlags;

  async run(): Promise<TaskView> {
    const { args, flags } = await this.parse(TasksReopen);
    const { updateTask } = await import("../../src/crm/tasks/task.operations.ts");
    const task = await this.carryOut(updateTask, flags, { task: args.id, input: { completed: false } });
    this.log(`Reopened task ${task.id} (${printable(task.title)}).`);
    return task;
  }
}
