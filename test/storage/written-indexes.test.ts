/** On SQLite, updating a contact writes only the indexes whose entries change. */
import { describe, expect, test } from "vitest";
// Imported for its defineUpdate calls.
import "../../src/operations.ts";
import { columnsToWrite, definedUpdates } from "../../src/storage/inserting/insert.ts";
import { openFresh } from "../support/databases.ts";

/** Ordered by last activity, so they are always written. */
const always = [
  "contacts_by_stage",
  "contacts_by_stage_kind",
  "contacts_by_update",
  "contacts_in_order_of_activity_14",
  "contacts_of_owner",
  "contacts_with_open_task",
];

const cases: [changed: string[], indexes: string[]][] = [
  [[], []],
  [["company", "company_key", "interest"], []],
  [["name_key"], ["contacts_by_name"]],
  [["email_key"], ["contacts_by_email"]],
  [["phone_key"], ["contacts_by_phone", "contacts_by_phone_end"]],
  [["owner_id"], ["contacts_owner"]],
  [["external_ref"], ["contacts_external_ref"]],
  [["long_keys"], ["contacts_with_long_keys"]],
];

describe("the indexes that an update of a contact writes on SQLite", () => {
  test.each(cases)("if %j changed", async (changed, indexes) => {
    await using fresh = await openFresh("sqlite");
    const update = definedUpdates().find(({ table }) => table === "contacts")!;
    const columns = columnsToWrite(update, new Set(changed));
    const steps = await fresh.database.rows<{ opcode: string; p2: number }>(
      `explain update contacts set ${columns.map((column) => `${column} = ?`).join(", ")} where id = ?`,
      [...columns.map(() => null), 1],
    );
    const opened = new Set(steps.filter(({ opcode }) => opcode === "OpenWrite").map(({ p2 }) => p2));
    const trees = await fresh.database.rows<{ name: string; rootpage: number }>(
      "select name, rootpage from sqlite_master where tbl_name = 'contacts' and type = 'index'",
    );
    const written = trees.filter(({ rootpage }) => opened.has(rootpage)).map(({ name }) => name);
    expect(written.toSorted()).toEqual([...always, ...indexes].toSorted());
  });
});
