/** Rows that violate a foreign key, as other programs may leave them behind. */
import { findBrokenForeignKeys } from "../../storage/inspection/damage.ts";
import { failure, listOf, ok } from "../check.ts";
import type { Check, Data } from "../check.ts";

export const foreignKeys: Check<Data> = {
  name: "foreign keys",
  async examine({ database }) {
    const found = await findBrokenForeignKeys(database);
    return found.length === 0
      ? ok("every foreign key holds")
      : failure(listOf(found), "restore the newest backup (crm restore), or remove these rows by hand");
  },
};
