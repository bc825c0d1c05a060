/** The positions of the event log: 1, 2, 3, … up to the last one, and none without a position for long. */
import { findPositionFaults } from "../../events/position-faults.ts";
import { failure, listOf, ok } from "../check.ts";
import type { Check, Data } from "../check.ts";

export const eventPositions: Check<Data> = {
  name: "event positions",
  async examine({ database }) {
    const { last, faults } = await findPositionFaults(database);
    return faults.length === 0
      ? ok(`the event log is complete up to position ${last}`)
      : failure(listOf(faults), "restore the newest backup (crm restore): followers of the log may have missed events");
  },
};
