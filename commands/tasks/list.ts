/** `crm tasks list` */
import { Flags } from "@oclif/core";
import type { TaskView } from "../../src/crm/tasks/task.view.ts";
import { CrmCommand } from "../../terminal/command.ts";
import { countFlag, locationFlags, idFlag } from "../../terminal/input/flags.ts";
import { showMoment } from "../../terminal/output/moments.ts";
import { table } from "../../terminal/output/table.ts";

export default class TasksList extends CrmCommand {
  static override description =
    "Lists open tasks, earliest due first; ! marks an overdue one. Times are those of the location.";
  static override jsonResult = "a list of tasks as the API shows them";

  static override examples = [
    "<%= config.bin %> tasks list",
    "<%= config.bin %> tasks list --overdue --assignee-user-id 2",
    "<%= config.bin %> tasks list --contact 12 --completed --json",
  ];

  static override flags = {
    ...locationFlags,
    contact: idFlag({ description: "Only this contact." }),
    "assignee-user-id": idFlag({ description: "Only those assigned to this user." }),
    overdue: Flags.boolean({ description: "Only overdue ones.", exclusive: ["completed"] }),
    completed: Flags.boolean({ description: "Completed tasks instead of open ones." }),
    limit: countFlag(10_000, { description: "How many to show at most.", default: 200 }),
  };

  async run(): Promise<TaskView[]> {
    const { flags } = await this.parse(TasksList);
    return this.inLocation(flags, async (caller, { carryOut }) => {
      const [{ listTasks }, { allPages }] = await Promise.all([
        import("../../src/crm/tasks/task.operations.ts"),
        import("../../src/kit/page.ts"),
      ]);
      const filters = {
        contact_id: flags.contact,
        assignee_user_id: flags["assignee-user-id"],
        completed: flags.completed === true,
        ...(flags.overdue ? { overdue: true } : {}),
      };
      const tasks = await allPages(
        (page) => carryOut(listTasks, caller, { query: { ...filters, ...page } }),
        flags.limit,
      );
      const isFiltered = Object.values(filters).some((value) => value !== undefined && value !== false);
      const rows = tasks.map(({ id, title, contact, due_at, overdue, assignee }) => ({
        id,
        due: `${showMoment(due_at, caller.location.timezone) ?? ""}${overdue ? " !" : ""}`,
        title,
        contact: contact === null ? null : `${contact.name} (${contact.id})`,
        assignee: assignee?.name,
      }));
      this.log(
        table(rows, ["id", "due", "title", "contact", "assignee"], {
          cuts: ["title", "contact", "assignee"],
          none: isFiltered ? "No task matches." : "No open tasks. Add one: crm tasks add TITLE",
        }),
      );
      if (tasks.some(({ overdue }) => overdue)) this.logToStderr("! is overdue.");
      return tasks;
    });
  }
}
