/** `crm tasks remove` */
import { CrmCommand } from "../../terminal/command.ts";
import { confirm } from "../../terminal/input/confirm.ts";
import { idArgument, locationFlags, yesFlag } from "../../terminal/input/flags.ts";

export default class TasksRemove extends CrmCommand {
  static override description = "Deletes a task; crm tasks done completes it instead.";
  static override jsonResult = "{id, removed}";
  static override examples = ["<%= config.bin %> tasks remove 7", "<%= config.bin %> tasks remove 7 --yes --json"];
  static override args = { id: idArgument("The task.") };
  static override flags = { ...locationFlags, ...yesFlag };

  async run(): Promise<{ id: number; removed: true }> {
    const { args, flags } = await this.parse(TasksRemove);
    await confirm(`remove task ${args.id}`, flags);
    const { deleteTask } = await import("../../src/crm/tasks/task.operations.ts");
    await this.carryOut(deleteTask, flags, { task: args.id });
    this.log(`Removed task ${args.id}.`);
    return { id: args.id, removed: true };
  }
}
