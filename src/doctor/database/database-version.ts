/** The version of the database program, and its known defects. */
import { readEngine } from "../../storage/inspection/engine.ts";
import { listOf, ok, warning } from "../check.ts";
import type { Check, Data } from "../check.ts";

export const databaseVersion: Check<Data> = {
  name: "database version",
  async examine({ database }) {
    const { name, defects } = await readEngine(database);
    return defects.length === 0 ? ok(name) : warning(`${name}: ${listOf(defects)}`, "install a newer version of it");
  },
};
