/** `crm tasks add` */
import { Args, Flags } from "@oclif/core";
import type { TaskView } from "../../src/crm/tasks/task.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { locationFlags, idFlag } from "../../terminal/input/flags.ts";
import { showMoment } from "../../terminal/output/moments.ts";
import { printable } from "../../terminal/output/table.ts";

export default class TasksAdd extends CrmCommand {
  static override description = `Creates a task, with or without a contact.

--due is a time of the location such as 2026-03-02T17:00, one with an offset such as 2026-03-02T17:00Z, or a date, which is the end of that day.`;
  static override jsonResult = "the task as the API shows it";

  static override examples = [
    '<%= config.bin %> tasks add "Send the price list" --contact 12 --due 2026-03-02T17:00',
    '<%= config.bin %> tasks add "Water the plants" --due 2026-03-02 --assignee-user-id 2 --json',
  ];

  static override args = { title: Args.string({ description: "What to do.", required: true }) };

  static override flags = {
    ...locationFlags,
    contact: idFlag({ description: "The contact." }),
    due: Flags.string({ description: "The due date.", helpValue: "TIME" }),
    "assignee-user-id": idFlag({ description: "The assignee; crm users list has the ids." }),
  };

  async run(): Promise<TaskView> {
    const { args, flags } = await this.parse(TasksAdd);
    const { createTask } = await import("../../src/crm/tasks/task.operations.ts");
    const input = {
      title: args.title,
      contact_id: flags.contact,
      due_at: flags.due,
      assignee_user_id: flags["assignee-user-id"],
    };
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const task = await carryOut(createTask, caller, { input });
      const due = showMoment(task.due_at, caller.location.timezone);
      this.log(`Added task ${task.id} (${printable(task.title)})${due === null ? "" : `, due ${due}`}.`);
      return task;
    });
  }
}
