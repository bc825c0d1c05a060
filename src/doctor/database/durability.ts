/** Settings of the server that lose committed data in a crash. */
import { findDurabilityFaults } from "../../storage/inspection/server-settings.ts";
import { failure, listOf, ok } from "../check.ts";
import type { Check, Data } from "../check.ts";

export const durability: Check<Data> = {
  name: "durability",
  async examine({ database }) {
    const faults = await findDurabilityFaults(database);
    return faults.length === 0
      ? ok("a commit survives a crash")
      : failure(listOf(faults.map(({ found }) => found)), faults.map(({ remedy }) => remedy).join(" "));
  },
};
