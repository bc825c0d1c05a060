/** `crm tasks update` */
import { Flags } from "@oclif/core";
import type { TaskView } from "../../src/crm/tasks/task.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { WrongUsage } from "../../terminal/failures.ts";
import { idArgument, idFlag, locationFlags } from "../../terminal/input/flags.ts";
import { showMoment } from "../../terminal/output/moments.ts";
import { printable } from "../../terminal/output/table.ts";

export default class TasksUpdate extends CrmCommand {
  static override description =
    "Changes the title, the due date or the assignee of a task; crm tasks done completes it.";
  static override jsonResult = "the task as the API shows it";
  static override examples = [
    '<%= config.bin %> tasks update 7 --title "Send the new price list" --due 2026-03-02',
    '<%= config.bin %> tasks update 7 --due "" --unassign --json',
  ];
  static override args = { id: idArgument("The task.") };
  static override flags = {
    ...locationFlags,
    title: Flags.string({ description: "What to do." }),
    due: Flags.string({
      description: "Its new due date, as of crm tasks add; an empty one clears it.",
      helpValue: "TIME",
    }),
    "assignee-user-id": idFlag({
      description: "The assignee; crm users list has the ids.",
      exclusive: ["unassign"],
    }),
    unassign: Flags.boolean({ description: "No assignee." }),
  };

  async run(): Promise<TaskView> {
    const { args, flags } = await this.parse(TasksUpdate);
    const { title, due, "assignee-user-id": assignee, unassign } = flags;
    const input = { title, due_at: due, assignee_user_id: unassign ? null : assignee };
    if (Object.values(input).every((value) => value === undefined))
      throw new WrongUsage("Nothing to change: give --title, --due, --assignee-user-id or --unassign.");
    const { updateTask } = await import("../../src/crm/tasks/task.operations.ts");
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const task = await carryOut(updateTask, caller, { task: args.id, input });
      const moment = showMoment(task.due_at, caller.location.timezone);
      this.log(`Updated task ${task.id} (${printable(task.title)})${moment === null ? "" : `, due ${moment}`}.`);
      return task;
    });
  }
}
