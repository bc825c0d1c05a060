/** What contacts carry of their opportunities and tasks: stage, value and next task, as lists show and filter by them. */
import { stageProjection } from "../../crm/opportunities/opportunity.service.ts";
import { nextTaskProjection } from "../../crm/tasks/task.service.ts";
import { eachIdSlice } from "../../storage/inspection/id-slices.ts";
import type { Database } from "../../storage/database.ts";
import { failure, fixCommand, ok } from "../check.ts";
import type { Check, Data } from "../check.ts";
import { counted } from "../../kit/text.ts";

const projections = [stageProjection, nextTaskProjection];

/** Contacts of the slice whose columns differ. */
async function* eachWrong(database: Database): AsyncGenerator<{ ids: number[]; update: string }> {
  for await (const { after, until } of eachIdSlice(database, "contacts"))
    for (const { alone, differs } of projections) {
      const found = await database.rowsOnce<{ id: number }>(
        `select id from contacts where id > ? and id <= ? and deleted_at is null and ${differs}`,
        [after, until],
      );
      if (found.length > 0) yield { ids: found.map(({ id }) => id), update: alone };
    }
}

export const contactProjections: Check<Data> = {
  name: "stages and tasks",
  async examine({ database }) {
    let count = 0;
    for await (const { ids } of eachWrong(database)) count += ids.length;
    return count === 0
      ? ok("every contact shows its stage and its next task")
      : failure(`${counted(count, "contact")} with a wrong stage, value or next task`, fixCommand);
  },
  async mend({ database }) {
    let count = 0;
    for await (const { ids, update } of eachWrong(database)) {
      // One contact each: a change that holds many rows would keep others waiting.
      for (const id of ids) await database.transaction(async ({ rows }) => rows(update, [id]));
      count += ids.length;
    }
    return `corrected ${counted(count, "contact")}`;
  },
};
