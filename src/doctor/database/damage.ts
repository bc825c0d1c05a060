/** Damaged pages of the database file, or pages that failed their checksum. */
import { findDamage } from "../../storage/inspection/damage.ts";
import { failure, listOf, ok } from "../check.ts";
import type { Check, Data } from "../check.ts";

export const damage: Check<Data> = {
  name: "damage",
  async examine({ database }) {
    const found = await findDamage(database);
    return found.length === 0
      ? ok("the stored pages are intact")
      : failure(listOf(found), "stop crm, and restore the newest backup (crm restore)");
  },
};
