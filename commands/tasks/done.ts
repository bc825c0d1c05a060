/** `crm tasks done` */
import type { TaskView } from "../../src/crm/tasks/task.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class TasksDone extends CrmCommand {
  static override description = "Completes a task; repeating it changes nothing.";
  static override jsonResult = "the task";
  static override examples = ["<%= config.bin %> tasks done 7", "<%= config.bin %> tasks done 7 --location 2 --json"];
  static override args = { id: idArgument("The task.") };
  static override flags = locationFlags;

  async run(): Promise<TaskView> {
    const { args, flags } = await this.parse(TasksDone);
    const { updateTask } = await import("../../src/crm/tasks/task.operations.ts");
    const task = await this.carryOut(updateTask, flags, { task: args.id, input: { completed: true } });
    this.log(`Completed task ${task.id} (${printable(task.title)}).`);
    return task;
  }
}
