/** `crm tasks done` */
import type { TaskView } from "../../src/crm/tasks/task.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, placeFlags } from "../../terminal/input/flags.ts";
import { printable } from "../../terminal/output/table.ts";

export default class TasksDone extends CrmCommand {
  static override description = "Completes a task; done twice changes nothing.";
  static override examples = ["<%= config.bin %> tasks done 7", "<%= config.bin %> tasks done 7 --location 2 --json"];
  static override args = { id: idArgument("The task.") };
  static override flags = placeFlags;

  async run(): Promise<TaskView> {
    const { args, flags } = await this.parse(TasksDone);
    return this.inLocation(flags, async (caller) => {
      const [{ updateTask }, { toTask }] = await Promise.all([
        import("../../src/crm/tasks/task.service.ts"),
        import("../../src/crm/tasks/task.view.ts"),
      ]);
      const task = await caller.change(async (change) =>
        toTask(await updateTask(change, args.id, { completed: true }), change.now.getTime()),
      );
      this.log(`Completed task ${task.id} (${printable(task.title)}).`);
      return task;
    });
  }
}
