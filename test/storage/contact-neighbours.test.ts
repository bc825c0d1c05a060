/** Every column that holds the id of a contact belongs to a neighbour, so that the deletion of a contact forgets no table. */
import { describe, expect, test } from "vitest";
import { contactNeighbours } from "../../src/crm/contacts/contact-neighbours.ts";
import { databaseKinds, openFresh } from "../support/databases.ts";

describe.each(databaseKinds)("on %s", (kind) => {
  test("columns that hold the id of a contact", async () => {
    await using fresh = await openFresh(kind);
    const tables = [...fresh.database.orm.getMetadata().getAll().values()];
    const columns = tables.flatMap(({ tableName, props }) =>
      props
        .filter(
          ({ fieldNames, targetMeta }) => targetMeta?.tableName === "contacts" || fieldNames?.[0] === "contact_id",
        )
        .map(({ fieldNames }) => `${tableName}.${fieldNames[0]}`),
    );
    const listed = contactNeighbours.flatMap(({ columns }) => columns);
    expect(
      columns
        .filter((column) => !listed.includes(column))
        .map(
          (column) =>
            `${column} holds the id of a contact, and no neighbour in src/crm/contacts/contact-neighbours.ts has it.`,
        ),
    ).toEqual([]);
    expect(listed.filter((column) => !columns.includes(column))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });
});
