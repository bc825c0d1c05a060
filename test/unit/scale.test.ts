/** docs/scale.md lists every table by what a distribution by workspace would ask of it. */
import { readFileSync } from "node:fs";
import { MikroORM } from "@mikro-orm/sqlite";
import { afterAll, expect, test } from "vitest";
import { entities } from "../../src/entities.ts";

const orm = await MikroORM.init({ entities: [...entities], dbName: ":memory:" });
afterAll(() => orm.close());

const tables = [...orm.getMetadata().getAll().values()].map(({ tableName, properties }) => {
  const columns = Object.values(properties).flatMap(({ fieldNames }) => fieldNames ?? []);
  const refersTo = Object.values(properties).flatMap(({ targetMeta }) => targetMeta?.tableName ?? []);
  return { tableName, columns, refersTo };
});

const text = readFileSync(new URL("../../docs/scale.md", import.meta.url), "utf8");
function listed(heading: string): string[] {
  const [, item = ""] = text.split(`- **${heading}**`);
  return [...item.split("\n- ")[0]!.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name!);
}
const headings = {
  workspace: listed("Tables with the workspace"),
  location: listed("Tables of a location"),
  below: listed("Tables that hang on one of those"),
  installation: listed("Tables of the installation and of people"),
};

test("every table is listed once", () => {
  expect(Object.values(headings).flat().toSorted()).toEqual(tables.map(({ tableName }) => tableName).toSorted());
});

test("a table stands where its columns put it", () => {
  const having = (column: string, without?: string) =>
    tables
      .filter(({ columns }) => columns.includes(column) && (without === undefined || !columns.includes(without)))
      .map(({ tableName }) => tableName)
      .toSorted();
  expect(headings.location.toSorted()).toEqual(having("location_id"));
  expect(headings.workspace.toSorted()).toEqual(having("workspace_id", "location_id"));
});
