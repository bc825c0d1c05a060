/** Whether the space of deleted rows is used again. */
import { findVacuumFaults } from "../../storage/inspection/server-settings.ts";
import { listOf, ok, warning } from "../check.ts";
import type { Check, Data } from "../check.ts";

export const vacuum: Check<Data> = {
  name: "vacuum",
  async examine({ database }) {
    const faults = await findVacuumFaults(database);
    return faults.length === 0
      ? ok("the space of deleted rows is used again")
      : warning(listOf(faults.map(({ found }) => found)), faults.map(({ remedy }) => remedy).join(" "));
  },
};
