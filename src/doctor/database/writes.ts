/** Whether the database accepts changes: a replica does not, nor one that is full, read-only or owned by another user. */
import { findWriteRefusal } from "../../storage/inspection/refused-writes.ts";
import { failure, ok } from "../check.ts";
import type { Check, Data } from "../check.ts";

export const writes: Check<Data> = {
  name: "writes",
  async examine({ database }) {
    const refusal = await findWriteRefusal(database);
    return refusal === undefined ? ok("a change is accepted") : failure(refusal.found, refusal.remedy);
  },
};
