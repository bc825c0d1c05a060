/** Which tables' foreign keys are checked after a migration on SQLite. */
import { expect, test } from "vitest";
import { writtenTables } from "../../src/storage/migrations/written-tables.ts";

test.each<[what: string, statements: string[], written: string[]]>([
  [
    "what only adds",
    ["create table `a` (`id` integer)", "alter table `b` add column `c` text null", "create index `d` on `b` (`c`)"],
    [],
  ],
  ["an index less, another name of a column", ["drop index `d`", 'alter table "b" rename column "c" to "e"'], []],
  ["rows", ["insert into `a` (`id`) select 1", "update b set c = 1", 'delete from "d"'], ["a", "b", "d"]],
  ["a table less", ["drop table `a`;", "drop table if exists `b`"], ["a", "b"]],
  [
    "a table that is rebuilt",
    ["insert into `a__temp` select * from `a`", "drop table `a`", "alter table `a__temp` rename to `a`"],
    ["a__temp", "a"],
  ],
])("%s", (_what, statements, written) => {
  expect(writtenTables([{ statements }])).toEqual(written);
});

test("what the program fills may be any", () => {
  expect(writtenTables([{ statements: [], fill: () => {} }])).toBeNull();
});
