/** Which statements of a migration an older version, which runs on beside the new schema, would notice. */
import { expect, test } from "vitest";
import { breaksOlderVersions } from "../../src/storage/migrations/older-versions.ts";

test.each<[what: string, statements: string[], breaks: string[]]>([
  ["a new table", ['create table "calls" ("id" bigserial primary key)', "drop table `calls`"], []],
  ["a new index", ["create index `a` on `events` (`id`);"], []],
  ["a dropped index", ['drop index "b";', "drop index if exists `c`"], ["drops the index b", "drops the index c"]],
  ["a unique index", ["create unique index `a` on `events` (`id`);"], ["adds the unique index a to events"]],
  ["one of a new table", ['create table "a" ("id" bigint)', 'create unique index "b" on "a" ("id")'], []],
  ["a column that may be empty", ["alter table `events` add column `trace` text null;"], []],
  ["columns with a default", ['alter table "apps" add "a" text null, add "b" boolean not null default false;'], []],
  ["rows", ["update hooks set x = 1", "insert into x select 1", "-- then the program fills them"], []],
  [
    "a wider check",
    ['alter table "a" drop constraint "a_check"', `alter table "a" add constraint "a_check" check ("b" in ('x', 'y'))`],
    [],
  ],
  [
    "a narrower check",
    ['alter table "a" add constraint "a_check" check (b > 0)'],
    ["adds the constraint a_check to a"],
  ],
  [
    "a dropped foreign key",
    ['alter table "a" drop constraint "a_b_id_foreign";'],
    ["drops the foreign key a_b_id_foreign of a"],
  ],
  ["a required column", ['alter table "a" add "b" text null, add "c" text not null;'], ["adds a required column to a"]],
  ["a dropped table", ["drop table `contact_text_index`;"], ["drops the table contact_text_index"]],
  ["a dropped column", ['alter table "hooks" drop column "x", drop column "y"'], ["drops the column x of hooks"]],
  ["a renamed column", ['alter table "e" rename column "p" to "q"'], ["renames the column p of e"]],
  ["a renamed index", ['alter index if exists "a" rename to "b";'], ["renames the index a to b"]],
  ["another type", ['alter table "t" alter column "n" type text'], ["changes the column n of t"]],
  [
    "a rebuilt table",
    [
      "create table `a__temp` (`id` integer)",
      "insert into `a__temp` select * from `a`",
      "drop table `a`",
      "alter table `a__temp` rename to `a`",
    ],
    ["drops the table a"],
  ],
  ["anything else", ["vacuum"], ["runs vacuum"]],
])("%s", (_what, statements, breaks) => {
  expect(breaksOlderVersions(statements)).toEqual(breaks);
});
