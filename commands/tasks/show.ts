/** `crm tasks show` */
import type { TaskView } from "../../src/crm/tasks/task.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { idArgument, locationFlags } from "../../terminal/input/flags.ts";
import { details } from "../../terminal/output/details.ts";
import { showMoment } from "../../terminal/output/moments.ts";

export default class TasksShow extends CrmCommand {
  static override description = "Shows a task.";
  static override jsonResult = "the task as the API shows it";
  static override examples = ["<%= config.bin %> tasks show 7", "<%= config.bin %> tasks show 7 --json"];
  static override args = { id: idArgument("The task.") };
  static override flags = locationFlags;

  async run(): Promise<TaskView> {
    const { args, flags } = await this.parse(TasksShow);
    const { getTask } = await import("../../src/crm/tasks/task.operations.ts");
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const task = await carryOut(getTask, caller, { task: args.id });
      const moment = (timestamp: string | null) => showMoment(timestamp, caller.location.timezone);
      const { contact, assignee } = task;
      this.log(
        details(`Task ${task.id}: ${task.title}${task.overdue ? ", overdue" : ""}`, {
          contact: contact && `${contact.name} (${contact.id})`,
          "due at": moment(task.due_at),
          "completed at": moment(task.completed_at),
          assignee: assignee && `${assignee.name} (${assignee.id})`,
          "created at": moment(task.created_at),
        }),
      );
      return task;
    });
  }
}
